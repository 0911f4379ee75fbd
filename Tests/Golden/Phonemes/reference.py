"""Writes more.jsonl from texts.json: what piper-phonemize makes of each text.

Needs Python 3.9 to 3.11 and `pip install piper-phonemize==1.1.0`, which carries the espeak-ng of 2023 that Piper's
voices were trained with. Run it in this directory; it also checks that sentences.jsonl is what it gives.
"""
import json
import unicodedata

from piper_phonemize import phonemize_espeak


def sentences(voice, text):
    # A text that ends inside a run of marks leaves one behind for the next text: read it away.
    phonemize_espeak(" ", "en-us")
    made = ("".join(sentence) for sentence in phonemize_espeak(text, voice))
    return [s for s in made if any(c.isalnum() for c in s)]


for line in open("sentences.jsonl", encoding="utf-8"):
    case = json.loads(line)
    expected = [unicodedata.normalize("NFD", s) for s in case["sentences"]]
    assert sentences(case["voice"], case["text"]) == expected, case["text"]

with open("more.jsonl", "w", encoding="utf-8") as out:
    for voice, texts in json.load(open("texts.json", encoding="utf-8")).items():
        for text in texts:
            case = {"voice": voice, "text": text, "sentences": sentences(voice, text)}
            out.write(json.dumps(case, ensure_ascii=False) + "\n")
