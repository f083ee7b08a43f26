import { currentLanguage, isBeforeSignIn, isEnglish, OF_HOST, setLanguage } from '#contract/language.ts'
import type { Portal } from '#contract/portal.ts'
import { type Catalogues, loadCatalogues } from '#contract/words.ts'

/** The language of a person who chose none is that of their browser. */
export const SAME_AS_BROWSER = 'browser'

const KEY = 'tributary.language'
/** The choice before signing in, and the language of the role shown last, as this browser keeps them. */
type Kept = { before?: string; application?: string }

function readKept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Keeps languages for the next documents; null forgets one. Returns whether they are kept. */
function storeLanguages(change: { [of in keyof Kept]: string | null }) {
  const kept = Object.entries({ ...readKept(), ...change }).filter(([, language]) => language !== null)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)))
    return true
  } catch {
    return false
  }
}

const PORTAL = /^\/portal\//

/** The languages of this browser, the preferred one first. */
const ofBrowser = () => navigator.languages.slice(0, 5).join() || navigator.language

const languageInAddress = () => new URLSearchParams(location.search).get('lang')

/** Returns the language in which a document at this address is asked for, or several, the preferred one first. */
function wantedAt(path: string) {
  const inAddress = languageInAddress()
  const { before, application } = readKept()
  if (PORTAL.test(path)) return inAddress ?? ofBrowser()
  return isBeforeSignIn(path) ? (inAddress ?? before ?? `${ofBrowser()},${OF_HOST}`) : (application ?? 'en')
}

const isBefore = isBeforeSignIn(location.pathname)

/** Returns whether the screens at another address have this document's words: its own ones, or English. */
export const isOfThisDocument = (path: string) =>
  isBeforeSignIn(path) === isBefore || (currentLanguage() === 'en' && isEnglish(wantedAt(path)))

/**
 * Loads the words of the first wanted language that the server has, before code that keeps some; without any, they are
 * English.
 */
export const loadWords = () => loadFirst(wantedAt(location.pathname))

/** Loads the words of a partner's portal in their language, unless its address names one. */
export async function showPortalIn(portal: Pick<Portal, 'language' | 'accountLanguage'> | null) {
  const wanted = portal && languageOfPartner(portal.language, portal.accountLanguage)
  if (wanted && !languageInAddress()) await loadFirst(wanted)
}

/** The most languages that are asked for, one after the other. */
const MOST_ASKED = 6

async function loadFirst(wanted: string) {
  for (const tag of wanted.split(',').slice(0, MOST_ASKED)) {
    if (isEnglish(tag)) break
    if (tag === currentLanguage() || (await loadWordsOf(tag))) return
  }
  setLanguage('en')
  document.documentElement.lang = 'en'
}

/** Loads the words of the nearest language that the server has, if it has one. */
async function loadWordsOf(tag: string): Promise<boolean> {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return false
  const answer = await fetch(`/words/${isBefore ? 'before' : 'partner'}/${tag}.json`).catch(() => null)
  const language = answer?.ok && answer.headers.get('content-language')
  if (!language || isEnglish(language)) return false
  const words = (await answer.json().catch(() => null)) as Catalogues | null
  if (!words) return false
  loadCatalogues((one) => (one === language ? words : null))
  setLanguage(tag === OF_HOST ? language : tag)
  document.documentElement.lang = language
  return true
}

/** Shows the screens before signing in, from now on, in the language chosen there. */
export function chooseBefore(language: string) {
  const address = new URL(location.href)
  address.searchParams.delete('lang')
  if (!storeLanguages({ before: language })) address.searchParams.set('lang', language)
  history.replaceState(null, '', address)
  location.reload()
}

/**
 * Returns the language of a partner's screens, or several, the preferred one first, by their preference; the account's
 * comes last. Undefined while that may matter and isn't known.
 */
export function languageOfPartner(preference: unknown, ofAccount: string | undefined) {
  if (typeof preference === 'string' && preference !== SAME_AS_BROWSER) return preference
  const wanted = ofBrowser()
  if (wanted.split(',').some((tag) => isEnglish(tag))) return wanted
  return ofAccount && `${wanted},${ofAccount}`
}

/** Loads the document anew if the screens of this role are in another language; once, also if that can't be kept. */
export function showApplicationIn(language: string) {
  const next = isEnglish(language) ? null : language
  if ((readKept().application ?? null) === next || !storeLanguages({ application: next })) return
  if (next !== null || currentLanguage() !== 'en') location.reload()
}
