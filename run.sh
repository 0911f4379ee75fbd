# quick single-module build of DSP and its tests, outside the package build
cd /tmp/syrinx/dsp/q
W=/work/wt-dsp
for f in fir level; do clang -O2 -I$W/Sources/CKernels -c $W/Sources/CKernels/$f.c -o $f.o || exit 1; done
time swiftc -swift-version 6 -O -wmo -enable-testing -parse-as-library -module-name DSP -emit-module -emit-module-path DSP.swiftmodule -c $(find $W/Sources/DSP -name '*.swift') -o DSP.o -I . || exit 1
[ "$1" = lib ] && exit 0
swiftc -swift-version 6 -O -wmo -enable-testing -parse-as-library -module-name DSPTests $(find $W/Tests/DSPTests -name '*.swift') entry.swift DSP.o fir.o level.o -I . -o tests \
  -F /opt/swift/usr/lib -I /opt/swift/usr/lib/swift/linux -load-plugin-library /opt/swift/usr/lib/swift/host/plugins/libTestingMacros.so || exit 1
shift; ./tests "$@"
