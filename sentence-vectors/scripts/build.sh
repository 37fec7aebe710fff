#!/bin/sh
# Compiles src/encoder.c. Needs clang and lld (Debian: apt-get install clang lld).
cd "$(dirname "$0")/.." && clang --target=wasm32 -O3 -msimd128 -mbulk-memory -ffast-math -nostdlib -ffreestanding -Wall \
  -Wl,--no-entry -Wl,--export=room -Wl,--export=prepare -Wl,--export=encode -o data/encoder.wasm src/encoder.c
