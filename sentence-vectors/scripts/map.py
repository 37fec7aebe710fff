"""Makes data/map.bin: what brings the vectors of texts closer that ask for the same.

    git clone https://github.com/xliuhw/NLU-Evaluation-Data
    pip install numpy && python3 scripts/map.py NLU-Evaluation-Data

A linear map, learnt from 11,036 English sentences with 64 intents (HWU64, CC BY 4.0): of each sentence in a batch, those
of its intent shall be closer than the others. It stays close to the identity, so that it also holds for other languages and other fields.
The number of steps was chosen on data that no benchmark of Parley has. Takes a minute.
"""
import json
import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
FOLDS = "CrossValidation/out4RasaReal/rasa_json_2018_03_22-13_01_25_169_80Train/CrossValidation"
STEPS, RATE, TEMPERATURE, TO_IDENTITY = 80, 3e-4, 0.1, 0.1
INTENTS, EACH = 100, 4
SIZE = 512

intents = {}
"""Each fold leaves out a tenth, so three have all."""
for fold in (1, 2, 3):
    for file in pathlib.Path(sys.argv[1], FOLDS, f"KFold_{fold}", "merged").glob("*.json"):
        for one in json.loads(file.read_text())["rasa_nlu_data"]["common_examples"]:
            intents[one["text"]] = one["intent"]
texts = list(intents)
answer = subprocess.run(
    ["node", HERE / "plain-vectors.mjs"], input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True
)
vectors = np.frombuffer(answer.stdout, "<f4").reshape(-1, SIZE)
names = sorted(set(intents.values()))
labels = np.array([names.index(intents[text]) for text in texts])
members = [np.flatnonzero(labels == label) for label in range(len(names))]

random = np.random.default_rng(0)
own = np.eye(SIZE, dtype="f4")
learnt, mean, square = own.copy(), np.zeros_like(own), np.zeros_like(own)
for step in range(1, STEPS + 1):
    chosen = random.choice(len(members), min(INTENTS, len(members)), replace=False)
    batch = vectors[np.concatenate([random.choice(members[label], EACH, replace=False) for label in chosen])]
    label = np.repeat(np.arange(len(chosen)), EACH)
    mapped = batch @ learnt
    length = np.linalg.norm(mapped, axis=1, keepdims=True)
    unit = mapped / length
    cosines = unit @ unit.T / TEMPERATURE
    np.fill_diagonal(cosines, -1e9)
    same = (label[:, None] == label[None]) & ~np.eye(len(label), dtype=bool)
    shares = np.exp(cosines - cosines.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    slope = (shares - same / same.sum(1, keepdims=True)) / TEMPERATURE / len(label)
    of_unit = (slope + slope.T) @ unit
    of_mapped = (of_unit - (of_unit * unit).sum(1, keepdims=True) * unit) / length
    gradient = batch.T @ of_mapped
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    by = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    learnt = learnt - RATE * by - RATE * TO_IDENTITY * (learnt - own)

"""What is added to a vector, with eight bits a number: a row for each number of the result, and its scale."""
added = (learnt - own).T
scales = np.abs(added).max(1) / 127
rounded = np.rint(added / scales[:, None]).astype(np.int8)
(HERE.parent / "data" / "map.bin").write_bytes(scales.astype("<f4").tobytes() + rounded.tobytes())
