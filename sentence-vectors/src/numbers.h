// What the encoders share: products of matrices whose weights have eight bits, with 128-bit vectors of WebAssembly, and the memory for a model.
#include <stdint.h>
#include <wasm_simd128.h>

#define EPSILON 1e-12f

extern uint8_t __heap_base;

typedef struct {
  const int8_t *weights;
  /** By what each row is multiplied. */
  const float *scales;
  int rows, columns;
} Matrix;
/** What a matrix is multiplied with: rows of integers of 16 bits, with a scale each. */
static int16_t rounded[ROUNDED];
static float scaleOf[MAX_PIECES + 4];

/** Where the model is to be put. */
uint8_t *room(uint32_t bytes) {
  uint8_t *at = (uint8_t *)(((uint32_t)&__heap_base + 15u) & ~15u);
  uint32_t needed = ((uint32_t)at + bytes + 0xffffu) >> 16, has = __builtin_wasm_memory_size(0);
  if (needed > has && __builtin_wasm_memory_grow(0, needed - has) == (unsigned long)-1) return 0;
  return at;
}

static const int8_t *take(Matrix *of, const int8_t *from, const float **scales, int rows, int columns) {
  of->weights = from;
  of->rows = rows;
  of->columns = columns;
  of->scales = *scales;
  *scales += rows;
  return from + rows * columns;
}

/** All rows get one scale where a window covers several. */
static float largestOf(const float *from, int count) {
  v128_t most = wasm_f32x4_splat(1e-20f);
  for (int i = 0; i < count; i += 4) most = wasm_f32x4_pmax(most, wasm_f32x4_abs(wasm_v128_load(from + i)));
  return __builtin_fmaxf(
      __builtin_fmaxf(wasm_f32x4_extract_lane(most, 0), wasm_f32x4_extract_lane(most, 1)),
      __builtin_fmaxf(wasm_f32x4_extract_lane(most, 2), wasm_f32x4_extract_lane(most, 3)));
}
/** Few enough that 1,536 products of them with 127, two of a kind in one number, stay below 2^31. */
#define MOST 24000
static void roundRow(const float *from, int16_t *to, int count, float largest) {
  v128_t by = wasm_f32x4_splat(MOST / largest);
  for (int i = 0; i < count; i += 8) {
    v128_t low = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(from + i), by)));
    v128_t high = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(from + i + 4), by)));
    wasm_v128_store(to + i, wasm_i16x8_narrow_i32x4(low, high));
  }
}

static inline float total(v128_t four) {
  v128_t so = wasm_f32x4_convert_i32x4(four);
  return wasm_f32x4_extract_lane(so, 0) + wasm_f32x4_extract_lane(so, 1) + wasm_f32x4_extract_lane(so, 2) +
         wasm_f32x4_extract_lane(so, 3);
}

/**
 * The products of rounded rows, which begin `stride` numbers after one another, with the rows of a matrix. Two rows of the matrix
 * and four of the others at a time stay in registers, so up to three rows beyond the last are read.
 */
static void multiply(const Matrix *of, const int16_t *from, int stride, int count, float *to) {
  int rows = of->rows, columns = of->columns;
  for (int r = 0; r < rows; r += 2) {
    const int8_t *w = of->weights + r * columns, *x = w + columns;
    for (int t = 0; t < count; t += 4) {
      const int16_t *a = from + t * stride, *b = a + stride, *c = b + stride, *d = c + stride;
      v128_t a1 = wasm_i32x4_splat(0), a2 = a1, b1 = a1, b2 = a1, c1 = a1, c2 = a1, d1 = a1, d2 = a1;
      for (int i = 0; i < columns; i += 8) {
        v128_t w1 = wasm_i16x8_load8x8(w + i), w2 = wasm_i16x8_load8x8(x + i);
        v128_t in = wasm_v128_load(a + i);
        a1 = wasm_i32x4_add(a1, wasm_i32x4_dot_i16x8(w1, in));
        a2 = wasm_i32x4_add(a2, wasm_i32x4_dot_i16x8(w2, in));
        in = wasm_v128_load(b + i);
        b1 = wasm_i32x4_add(b1, wasm_i32x4_dot_i16x8(w1, in));
        b2 = wasm_i32x4_add(b2, wasm_i32x4_dot_i16x8(w2, in));
        in = wasm_v128_load(c + i);
        c1 = wasm_i32x4_add(c1, wasm_i32x4_dot_i16x8(w1, in));
        c2 = wasm_i32x4_add(c2, wasm_i32x4_dot_i16x8(w2, in));
        in = wasm_v128_load(d + i);
        d1 = wasm_i32x4_add(d1, wasm_i32x4_dot_i16x8(w1, in));
        d2 = wasm_i32x4_add(d2, wasm_i32x4_dot_i16x8(w2, in));
      }
      float s1 = of->scales[r], s2 = of->scales[r + 1];
      v128_t one[4] = {a1, b1, c1, d1}, two[4] = {a2, b2, c2, d2};
      for (int k = 0; k < 4 && t + k < count; k++) {
        float by = scaleOf[t + k];
        to[(t + k) * rows + r] = total(one[k]) * by * s1;
        to[(t + k) * rows + r + 1] = total(two[k]) * by * s2;
      }
    }
  }
}

/** To mean 0 and variance 1. `norms` has the weights, then `all` numbers later the biases. */
static void normalise(float *of, int count, const float *norms, int all) {
  float mean = 0, square = 0;
  for (int i = 0; i < count; i++) mean += of[i];
  mean /= (float)count;
  for (int i = 0; i < count; i++) square += (of[i] - mean) * (of[i] - mean);
  float by = 1 / __builtin_sqrtf(square / (float)count + EPSILON);
  for (int i = 0; i < count; i++) of[i] = (of[i] - mean) * by * norms[i] + norms[all + i];
}

static float power(float of) {
  float n = __builtin_rintf(of * 1.44269504f), r = of - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  union { int32_t bits; float value; } so = {((int32_t)n + 127) << 23};
  return p * so.value;
}
