import { post } from './delivery.ts'
import { ignoringRefusal } from './refusal.ts'
import { formsOn, outlineMatches } from './site-check.ts'

const LOOK_EVERY_MS = 250
const CHECK_FOR_MS = 3000

/**
 * Runs on an owner's page, during their check only: shows which elements and forms the script finds, and reports them to
 * the server once, when all elements are found or after a while.
 */
function check(token: string, endpoint: string) {
  const until = performance.now() + CHECK_FOR_MS
  const look = () => {
    const matched = outlineMatches()
    const all = Object.keys(matched).every((key) => matched[key as keyof typeof matched])
    if (!all && performance.now() <= until) return setTimeout(() => ignoringRefusal(look), LOOK_EVERY_MS)
    return post(`${endpoint}/checks`, JSON.stringify({ token, matched, forms: formsOn() }))
  }
  look()
}

ignoringRefusal(() => {
  const { src } = document.currentScript as HTMLScriptElement
  const [, token] = /[#&]tributary-check=([\w.-]+)/.exec(location.hash)!
  check(token!, src.replace(/\/picker\.js.*$/, ''))
})
