import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { accentColors } from '#contract/accent.ts'
import { webFolder } from '../../platform/http/web-build.ts'
import { lazyValue } from '../../platform/lazy-value.ts'

/** The style of all public pages of a program. Its colors are those of the application, without its files. */
const STYLE = `:root{color-scheme:light dark;--ground:#f6f7f9;--surface:#fff;--text:#17202b;--muted:#556170;--control:#7a8593;--line:#dde2e8;--link:#2f43bf;--primary:#3347c4;--on-primary:#fff;--error:#b3261e;--tint:#fdecea}
@media(prefers-color-scheme:dark){:root{--ground:#0f141b;--surface:#171e27;--text:#e8edf3;--muted:#a9b4c1;--control:#748190;--line:#2c3743;--link:#a3b4ff;--primary:#4a5fd9;--error:#ff9c93;--tint:#3a1614}.logo{padding:.25rem .5rem;background:#fff;border-radius:.5rem}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.6 Inter,system-ui,sans-serif;overflow-wrap:anywhere}
main,footer{max-width:62rem;margin:0 auto;padding:1.5rem 1rem}
header{padding:1rem 0}
.hero{display:grid;gap:1.5rem 3rem;align-items:center;padding:0 0 1.5rem}
.hero>div:first-child>*{margin-bottom:.75rem}
.hero h1{font-size:clamp(1.75rem,1.2rem + 2.4vw,2.75rem);letter-spacing:-.02em}
.lead{font-size:clamp(1.125rem,1rem + .6vw,1.375rem);line-height:1.45}
.cover{height:8.5rem;border-radius:1rem;background:radial-gradient(circle at 82% 18%,rgb(255 255 255/.55) 0 9%,transparent 9.6%),radial-gradient(ellipse 70% 62% at 22% 112%,rgb(255 255 255/.32) 0 99%,transparent),radial-gradient(ellipse 80% 54% at 82% 118%,rgb(255 255 255/.22) 0 99%,transparent),linear-gradient(160deg,rgb(255 255 255/.18),rgb(0 0 0/.22)),var(--primary)}
img.cover{display:block;width:100%;object-fit:cover;background:var(--surface)}
@media(min-width:52rem){.hero{grid-template-columns:1.2fr 1fr;padding:1.5rem 0 2.5rem}.cover{height:21rem}}
.steps{display:grid;gap:1rem 1.5rem;padding:0;list-style:none;counter-reset:step}
.steps li{counter-increment:step}
.steps li::before{display:grid;place-content:center;width:2rem;height:2rem;margin:0 0 .5rem;font-weight:600;color:var(--on-primary);background:var(--primary);border-radius:50%;content:counter(step)}
.steps h3{margin:0}
.steps p{margin:0;color:var(--muted)}
@media(min-width:40rem){.steps{grid-template-columns:repeat(3,1fr)}}
#apply form{max-width:44rem}
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
button,.button{display:inline-block;padding:.5rem 1.25rem;font:inherit;font-weight:600;color:var(--on-primary);background:var(--primary);border:0;border-radius:.5rem;cursor:pointer}
.button{padding:.75rem 1.75rem;text-decoration:none}
.fax{position:absolute;left:-100vw}`

export type PageStyle = { text: string; hash: string }

const hashed = (text: string): PageStyle => ({ text, hash: createHash('sha256').update(text).digest('base64') })

/** The application's copy of Inter, by the name in its build; without a build, the fonts of the system. */
const fontFace = lazyValue(() => {
  const folder = join(webFolder, 'assets')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const file = files.find((name) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(name))
  return file
    ? `@font-face{font-family:Inter;font-display:swap;font-weight:100 900;src:url(/assets/${file}) format("woff2")}\n`
    : ''
})
const style = lazyValue(() => fontFace() + STYLE)
const plain = lazyValue(() => hashed(style()))
const known = new LRUCache<string, PageStyle>({ max: 1000 })

/** Returns the style in the account's color, or in ours, with the hash by which the page's policy admits it. */
export function pageStyle(accent: string | null): PageStyle {
  if (accent === null) return plain()
  const made = known.get(accent) ?? hashed(style() + inColor(accent))
  known.set(accent, made)
  return made
}

function inColor(accent: string) {
  const { link, primary, onPrimary } = accentColors(accent)
  return `
:root{--link:${link.light};--primary:${primary};--on-primary:${onPrimary}}
@media(prefers-color-scheme:dark){:root{--link:${link.dark};--primary:${primary}}}`
}
