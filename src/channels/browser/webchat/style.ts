import { GROUNDS, palette } from "../common.js";

const colours = (colour: string, scheme: "light" | "dark"): string => {
  const { accent, onAccent, line } = palette(colour, scheme);
  const { ground, raised } = GROUNDS[scheme];
  return `--accent: ${accent}; --on-accent: ${onAccent}; --line: ${line}; --ground: ${ground}; --raised: ${raised}; ${
    scheme === "light"
      ? "--edge: #dcdee4; --field: #868b97; --text: #1a1c21; --quiet: #5b606b; --bad: #b42318; --shade: rgb(20 22 30 / .18)"
      : "--edge: #3a3e46; --field: #7d838f; --text: #eeeff2; --quiet: #aeb3bd; --bad: #ff9d92; --shade: rgb(0 0 0 / .5)"
  }`;
};

export const css = (colour: string): string => `
:host { all: initial; display: block; color-scheme: light dark }
aside { ${colours(colour, "light")}; font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); -webkit-text-size-adjust: 100% }
@media (prefers-color-scheme: dark) { aside { ${colours(colour, "dark")} } }
*, ::before, ::after { box-sizing: border-box }
[hidden] { display: none !important }
button { font: inherit; color: inherit; background: none; border: 0; padding: 0; margin: 0; cursor: pointer; touch-action: manipulation }
:focus-visible { outline: 3px solid var(--line); outline-offset: 2px }
svg { display: block; width: 24px; height: 24px }
.launcher { position: fixed; z-index: 2147483000; inset-block-end: max(20px, env(safe-area-inset-bottom)); inset-inline-end: 20px; width: 56px; height: 56px; border-radius: 50%; display: grid; place-items: center; background: var(--accent); color: var(--on-accent); box-shadow: 0 4px 16px var(--shade); transition: transform .15s }
.launcher:hover { transform: scale(1.05) }
.launcher svg { width: 26px; height: 26px }
.launcher[aria-expanded=true] .bubble, .launcher[aria-expanded=false] .down { display: none }
.start .launcher { inset-inline: 20px auto }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px; background: #b42318; color: #fff; font-size: 13px; font-weight: 600; line-height: 22px; text-align: center; box-shadow: 0 0 0 2px var(--ground) }
.panel { position: fixed; z-index: 2147483001; inset-block-end: 92px; inset-inline-end: 20px; width: 384px; height: min(640px, 100vh - 112px); display: flex; flex-direction: column; overflow: hidden; background: var(--ground); border: 1px solid var(--edge); border-radius: 16px; box-shadow: 0 12px 40px var(--shade) }
.start .panel { inset-inline: 20px auto }
header { flex: none; display: flex; align-items: center; gap: 8px; min-height: 60px; padding: 8px 10px 8px 20px; padding-inline: 20px 10px; background: var(--accent); color: var(--on-accent) }
.logo { flex: none; max-width: min(144px, 38%); padding: 3px; background: #fff; border-radius: 8px }
.logo.light { background: #16181d }
.logo img { display: block; max-width: 100%; height: 26px; object-fit: scale-down }
h2 { flex: 1; min-width: 0; margin: 0; font-size: 17px; font-weight: 650; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; text-align: left }
[dir=rtl] h2 { text-align: right }
.icon { flex: none; width: 44px; height: 44px; display: grid; place-items: center; border-radius: 10px }
.icon:hover { background: color-mix(in srgb, currentColor 12%, transparent) }
header :focus-visible { outline-color: currentColor; outline-offset: -3px }
.status { flex: none; padding: 8px 20px; font-size: 13.5px; background: var(--raised); color: var(--text); border-block-end: 1px solid var(--edge) }
.status:empty, .typing:empty { display: none }
.typing { flex: none; padding: 0 20px 8px; font-size: 13.5px; color: var(--text) }
.log { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 16px 20px 12px; display: flex; flex-direction: column; gap: 2px }
.log:focus-visible { outline-offset: -3px }
.log > :first-child { margin-block-start: auto }
.day { align-self: center; margin-block: 14px 8px; font-size: 12.5px; font-weight: 600; color: var(--quiet) }
.older { align-self: center; min-height: 36px; padding: 0 14px; border: 1px solid var(--field); border-radius: 18px; font-size: 13.5px }
.message { max-width: 84%; display: flex; flex-direction: column; align-items: flex-start; margin-block-start: 10px }
.message.same { margin-block-start: 0 }
.message.own { align-self: flex-end; align-items: flex-end }
.text { padding: 9px 14px; border-radius: 16px; border-end-start-radius: 5px; background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; min-width: 0; max-width: 100% }
.own .text { border-radius: 16px; border-end-end-radius: 5px; background: var(--accent); color: var(--on-accent) }
.text a { color: var(--line); text-underline-offset: 2px }
.own .text a { color: inherit }
.own .text :focus-visible { outline-color: currentColor }
code, pre { font: .92em ui-monospace, monospace }
.rich * { margin: 0 }
.rich > * + * { margin-block-start: 8px }
.rich ul, .rich ol { padding-inline-start: 22px }
blockquote { padding-inline-start: 10px; border-inline-start: 2px solid var(--field) }
pre { white-space: pre-wrap }
hr { border: 0; border-block-start: 1px solid var(--field) }
.meta { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; margin: 3px 4px 0; font-size: 12.5px; color: var(--quiet) }
.failed .meta { color: var(--bad) }
.again { min-height: 28px; padding: 0 10px; border: 1px solid currentColor; border-radius: 14px; font-weight: 600 }
.choices { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 10px }
.choices button { max-width: 100%; min-height: 40px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 20px; color: var(--line); font-weight: 600; text-align: start; overflow-wrap: anywhere }
.choices button:hover { background: var(--raised) }
.file { display: flex; align-items: center; gap: 8px; max-width: 100%; margin-block-start: 3px; padding: 8px 14px 8px 10px; padding-inline: 10px 14px; border: 1px solid var(--field); border-radius: 12px; color: var(--text); text-decoration: none; overflow-wrap: anywhere }
.file:hover { text-decoration: underline }
.file svg { flex: none; width: 20px; height: 20px }
.picture { display: block; margin-block-start: 3px; border-radius: 12px }
.picture img { display: block; max-width: 100%; max-height: 220px; width: auto; height: auto; border-radius: 12px; border: 1px solid var(--edge) }
form { flex: none; margin: 0; padding: 10px 12px 12px; border-block-start: 1px solid var(--edge) }
.chips { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px }
.chips li { display: flex; align-items: center; gap: 4px; max-width: 100%; margin-block-end: 8px; padding-inline-start: 12px; border-radius: 10px; background: var(--raised); font-size: 13.5px }
.chips span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.chips .icon { width: 36px; height: 36px }
.chips svg { width: 16px; height: 16px }
.problem { margin: 0 4px 8px; font-size: 13.5px; color: var(--bad) }
.problem:empty { display: none }
.row { display: flex; align-items: flex-end; gap: 4px }
textarea { flex: 1; min-width: 0; min-height: 44px; max-height: 132px; margin: 0; padding: 10px 14px; border: 1px solid var(--field); border-radius: 14px; font: inherit; font-size: 16px; line-height: 22px; color: inherit; background: var(--ground); resize: none; overflow-y: auto; unicode-bidi: plaintext }
textarea::placeholder { color: var(--quiet); opacity: 1 }
textarea:focus-visible { outline-offset: -1px }
.send { background: var(--accent); color: var(--on-accent); border-radius: 14px; margin-inline-start: 4px }
.send:hover { background: var(--accent); filter: brightness(1.1) }
.send svg { width: 20px; height: 20px }
[dir=rtl] .send svg { transform: scaleX(-1) }
.sr { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 480px), (max-height: 420px) {
  .panel, .start .panel { inset: 0; width: auto; height: auto; border: 0; border-radius: 0; padding-block-end: env(safe-area-inset-bottom) }
  .launcher[aria-expanded=true] { display: none }
  .log { padding-inline: 16px }
}
@media (prefers-reduced-motion: no-preference) {
  .panel { animation: rise .16s ease-out }
  @keyframes rise { from { opacity: 0; transform: translateY(10px) } }
}
@media (prefers-reduced-motion: reduce) { .launcher { transition: none } .launcher:hover { transform: none } }
@media (forced-colors: active) { .launcher, .send, .text, .panel { border: 1px solid } }
`;
