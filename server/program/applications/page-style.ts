import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { accentColors } from '#contract/accent.ts'

/** The style of all public pages of a program. Its colors are those of the application, without its files. */
const STYLE = `:root{color-scheme:light dark;--ground:#f6f7f9;--surface:#fff;--text:#17202b;--muted:#556170;--control:#7a8593;--line:#dde2e8;--link:#2f43bf;--primary:#3347c4;--on-primary:#fff;--error:#b3261e;--tint:#fdecea}
@media(prefers-color-scheme:dark){:root{--ground:#0f141b;--surface:#171e27;--text:#e8edf3;--muted:#a9b4c1;--control:#748190;--line:#2c3743;--link:#a3b4ff;--primary:#4a5fd9;--error:#ff9c93;--tint:#3a1614}.logo{padding:.25rem .5rem;background:#fff;border-radius:.5rem}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main,footer{max-width:42rem;margin:0 auto;padding:1.5rem 1rem}
header{padding:1rem 0}
h1{margin:.25rem 0 0;font-size:2rem;line-height:1.2}
h2{margin:0 0 .75rem;font-size:1.25rem;line-height:1.3}
h3{margin:1.25rem 0 .25rem;font-size:1.0625rem}
p,ul,dl{margin:0 0 .75rem}
ul{padding-left:1.25rem}
section{margin:0 0 1rem;padding:1.25rem;background:var(--surface);border:1px solid var(--line);border-radius:.75rem}
section>:last-child{margin-bottom:0}
a{color:var(--link)}
.name{margin:0;font-weight:600}
.logo{display:block;width:auto;height:auto;max-width:15rem;max-height:4rem;margin:0 0 .75rem}
.muted,.hint{color:var(--muted)}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.5rem 0;border-top:1px solid var(--line)}
dl div:first-child{border-top:0}
dd{margin:0;font-weight:600}
label,legend{display:block;margin:0 0 .25rem;padding:0;font-weight:600}
fieldset{margin:0;padding:0;border:0}
.field{margin:0 0 1rem}
.pair{display:grid;gap:0 1rem;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr))}
input,select,textarea{width:100%;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--control);border-radius:.5rem}
input[type=radio],input[type=checkbox]{width:auto;margin-right:.5rem}
.choice{font-weight:400}
textarea{min-height:6rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
[aria-invalid=true]{border-color:var(--error)}
.wrong{margin:.25rem 0 0;color:var(--error)}
.notice{padding:.75rem 1rem;background:var(--tint);color:var(--error);border-radius:.5rem}
.example{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.example label{margin:0}
.example input{width:8rem}
button{padding:.5rem 1.25rem;font:inherit;font-weight:600;color:var(--on-primary);background:var(--primary);border:0;border-radius:.5rem;cursor:pointer}
.fax{position:absolute;left:-100vw}`

export type PageStyle = { text: string; hash: string }

const hashed = (text: string): PageStyle => ({ text, hash: createHash('sha256').update(text).digest('base64') })

const plain = hashed(STYLE)
const known = new LRUCache<string, PageStyle>({ max: 1000 })

/** Returns the style in the account's color, or in ours, with the hash by which the page's policy admits it. */
export function pageStyle(accent: string | null): PageStyle {
  if (accent === null) return plain
  const made = known.get(accent) ?? hashed(STYLE + inColor(accent))
  known.set(accent, made)
  return made
}

function inColor(accent: string) {
  const { link, primary, onPrimary } = accentColors(accent)
  return `
:root{--link:${link.light};--primary:${primary};--on-primary:${onPrimary}}
@media(prefers-color-scheme:dark){:root{--link:${link.dark};--primary:${primary}}}`
}
