#!/bin/sh
# Compiles src/encoder.c and src/english.c. Needs clang and lld (Debian: apt-get install clang lld).
cd "$(dirname "$0")/.." || exit 1
for name in encoder english; do
  clang --target=wasm32 -O3 -msimd128 -mbulk-memory -ffast-math -nostdlib -ffreestanding -Wall \
    -Wl,--no-entry -Wl,--export=room -Wl,--export=prepare -Wl,--export=encode -o "data/$name.wasm" "src/$name.c" || exit 1
done
