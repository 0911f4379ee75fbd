print("tts-bench")
