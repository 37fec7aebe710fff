/** Two short tones, as frequencies in hertz. */
const TONES = [784, 1047];
const TONE_SECONDS = 0.12;
const VOLUME = 0.08;

let context: AudioContext | undefined;

/** Rings softly. Before the member has touched the page, the browser keeps it silent. */
export async function ring(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  TONES.forEach((frequency, i) => {
    const from = context!.currentTime + i * TONE_SECONDS;
    const to = from + TONE_SECONDS;
    const [tone, gain] = [context!.createOscillator(), context!.createGain()];
    tone.frequency.value = frequency;
    // Without a click at the beginning and the end.
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(VOLUME, from + 0.01);
    gain.gain.linearRampToValueAtTime(0, to);
    tone.connect(gain).connect(context!.destination);
    tone.start(from);
    tone.stop(to);
  });
}
