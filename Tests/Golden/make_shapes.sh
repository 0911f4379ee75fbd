#!/bin/sh
# Makes the voices and reference cases of shapes/ anew. Needs: pip install numpy onnx onnxruntime
set -eu
cd "$(dirname "$0")"
rm -rf shapes
python3 make_voice.py --shapes shapes
for voice in shapes/*.onnx; do
    python3 make_golden.py "$voice" cases-shapes.json "${voice%.onnx}"
done
