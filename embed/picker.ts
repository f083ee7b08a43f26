import { postJson } from './delivery.ts'
import { openPicker } from './pick.ts'
import { ignoringRefusal } from './refusal.ts'
import { elementsOn, formsOn, outlineElement, toMatched } from './site-check.ts'

const LOOK_EVERY_MS = 250
const CHECK_FOR_MS = 3000

/** Outlines the elements that the script finds, and reports them once, when all are found or after a while. */
function check(report: (found: object) => unknown) {
  const until = performance.now() + CHECK_FOR_MS
  const look = () => {
    const elements = elementsOn()
    outlineElement(elements)
    const matched = toMatched(elements)
    const all = Object.keys(matched).every((key) => matched[key as keyof typeof matched])
    if (!all && performance.now() <= until) return setTimeout(() => ignoringRefusal(look), LOOK_EVERY_MS)
    return report({ matched, forms: formsOn() })
  }
  look()
}

// runs on an owner's page, during their check only
ignoringRefusal(() => {
  const { src } = document.currentScript as HTMLScriptElement
  const [, token, picks] = /[#&]tributary-check=([\w.-]+)(&pick)?/.exec(location.hash)!
  const endpoint = src.replace(/\/picker\.js.*$/, '')
  const report = (found: object, then?: (reply: Response) => unknown) =>
    postJson(`${endpoint}/checks`, JSON.stringify(Object.assign({ token }, found)), then)
  if (picks) openPicker(report)
  else check(report)
})
