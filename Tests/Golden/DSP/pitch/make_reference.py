#!/usr/bin/env python3
"""What Praat measures on joe.raw: joe_f0.csv (F0 every 10 ms) and joe_summary.csv.

    pip install numpy praat-parselmouth
    ./make_reference.py

F0: Praat's "To Pitch (ac)" at its default settings apart from the range, 60–500 Hz; 0 where unvoiced.
Formants: "To Formant (burg)" with 5 formants below 5 000 Hz, window 25 ms, as Praat advises for a male voice; the
median over frames 10 ms apart where F0 > 0.
"""
import pathlib

import numpy as np
import parselmouth

RATE = 22050
HERE = pathlib.Path(__file__).parent


def measure(samples, rate=RATE, floor=60, ceiling=500):
    sound = parselmouth.Sound(samples, rate)
    pitch = sound.to_pitch_ac(time_step=0.01, pitch_floor=floor, pitch_ceiling=ceiling)
    times, f0 = pitch.xs(), pitch.selected_array["frequency"]
    formant = sound.to_formant_burg(time_step=0.01, max_number_of_formants=5, maximum_formant=5000)
    voiced = times[f0 > 0]
    formants = [np.nanmedian([formant.get_value_at_time(n, t) for t in voiced]) for n in (1, 2, 3)]
    return times, f0, formants


if __name__ == "__main__":
    samples = np.fromfile(HERE / "joe.raw", dtype="<i2") / 32768
    times, f0, formants = measure(samples)
    with open(HERE / "joe_f0.csv", "w") as out:
        out.write("seconds,hertz\n")
        out.writelines(f"{t:.4f},{f:.3f}\n" for t, f in zip(times, f0))
    with open(HERE / "joe_summary.csv", "w") as out:
        out.write("name,value\n")
        out.write(f"samples,{len(samples)}\nmedian_f0,{np.median(f0[f0 > 0]):.3f}\n")
        out.writelines(f"median_f{n},{f:.2f}\n" for n, f in enumerate(formants, 1))
