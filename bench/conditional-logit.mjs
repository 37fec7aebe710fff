// A conditional logit: each entry of a question has a utility, and so has "none of them". Fitted by Newton's method.

const STEPS = 15;
/** Keeps the figures small where the data does not say otherwise. */
const PENALTY = 1e-3;

/** The chance of each entry, and that of none. */
export function probabilities({ entries, none }, weights) {
  const utility = (values, from) => values.reduce((sum, value, k) => sum + value * weights[from + k], 0);
  const first = weights.length - none.length;
  const utilities = [...entries.map((values) => utility(values, 0)), utility(none, first)];
  const highest = Math.max(...utilities);
  const shares = utilities.map((value) => Math.exp(value - highest));
  const sum = shares.reduce((all, share) => all + share, 0);
  const chances = shares.map((share) => share / sum);
  return { noneOfThem: chances.pop(), chances };
}

/** @param questions with `entries` (the features of each), `none` (its features), `right` (an index, or -1 for none) and `weight` (1 if missing) */
export function fit(questions) {
  const own = questions.find(({ entries }) => entries.length).entries[0].length;
  const size = own + questions[0].none.length;
  let weights = new Float64Array(size);
  let [before, step, last] = [weights, null, -Infinity];
  for (let n = 0; n < STEPS; n++) {
    const slope = new Float64Array(size);
    const bend = Array.from({ length: size }, () => new Float64Array(size));
    let likelihood = 0;
    for (const question of questions) likelihood += add(question, weights, own, slope, bend);
    const penalty = PENALTY * questions.length;
    for (let k = 0; k < size; k++) {
      likelihood -= (penalty * weights[k] ** 2) / 2;
      slope[k] -= penalty * weights[k];
      bend[k][k] += penalty;
    }
    if (step && likelihood < last - 1e-6 * Math.abs(last)) {
      step = step.map((value) => value / 3);
      weights = before.map((value, k) => value + step[k]);
      continue;
    }
    if (Math.abs(likelihood - last) < 1e-5 * Math.abs(last)) break;
    [before, last, step] = [weights, likelihood, solved(bend, slope)];
    weights = before.map((value, k) => value + step[k]);
  }
  return weights;
}

/** Adds a question's part to the gradient and the (negative) Hessian. @returns its log-likelihood */
function add(question, weights, own, slope, bend) {
  const size = weights.length;
  const { chances, noneOfThem } = probabilities(question, weights);
  const { weight = 1 } = question;
  const mean = new Float64Array(size);
  const outer = (values, from, chance) => {
    for (let a = 0; a < values.length; a++) {
      mean[from + a] += chance * values[a];
      if (chance > 1e-4)
        for (let b = 0; b <= a; b++) bend[from + a][from + b] += weight * chance * values[a] * values[b];
    }
  };
  question.entries.forEach((values, i) => outer(values, 0, chances[i]));
  outer(question.none, own, noneOfThem);
  for (let a = 0; a < size; a++) for (let b = 0; b <= a; b++) bend[a][b] -= weight * mean[a] * mean[b];
  const [seen, from] = question.right < 0 ? [question.none, own] : [question.entries[question.right], 0];
  seen.forEach((value, k) => (slope[from + k] += weight * value));
  for (let k = 0; k < size; k++) slope[k] -= weight * mean[k];
  return weight * Math.log((question.right < 0 ? noneOfThem : chances[question.right]) + 1e-12);
}

/** Solves A x = b for a symmetric, positive definite A of which the lower half is given. */
function solved(matrix, b) {
  const n = b.length;
  const lower = matrix.map((row) => Float64Array.from(row));
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = lower[i][j];
      for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / lower[j][j];
    }
    for (let k = 0; k < i; k++) x[i] -= lower[i][k] * x[k];
    x[i] /= lower[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= lower[k][i] * x[k];
    x[i] /= lower[i][i];
  }
  return x;
}
