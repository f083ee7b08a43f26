import { forms } from './account.ts'
import { fieldsFor } from './fields.ts'
import { type GuessedKey, plain } from './guesses.ts'
import { isPointedAt, SUBMIT } from './submission.ts'
import {
  ALL,
  CHOSEN,
  CURRENT_PASSWORD,
  FIRST_OTHER,
  MARKED,
  NO_CLUE,
  OFF,
  ONE_PASSWORD,
  UNMARKED,
  WORD,
} from './whys.ts'

const BUTTON = 1
const ATTRIBUTES = 2
const PATH = 4
const EMAIL_NAME = 8
const EVERYWHERE = BUTTON | ATTRIBUTES | PATH

// words at the beginning of a word, in normalized texts, no longer than needed; English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Swedish, Danish and Norwegian
const SIGN_UP =
  'sign ?up|regist|zarejestr|create$|cr[ei][ae]\\S* (\\S+ )*(account|profile|compte|cuenta|conta)|join|subs[ck]|suscri|get started|start (my|your|free|a )|free trial|try |konto (anl|erst)|abb?on|jetzt start|kostenlos t|in?scr|inschr|essaye|commencer|empez|pr(ueba|ova|obeer|øv)|inizia|cadast|assin|comec|teste|account (aan)?maken|begin|załoz|zapisz|utworz k|wyprob|skapa k|prenum|kom i ?gang|opp?ret|tilmeld|meld (deg|meg) pa'
/** Forms that act on what exists already, name another person, or only write to the company. */
const OTHERS: [where: number, words: string][] = [
  [
    EVERYWHERE,
    '(log(ga?)?|sign) ?in(?!g)|e?inlog|conne(xion|cter)|identifier|iniciar s|acced[ei]|entra(r|$)|acess|zalog|logowa',
  ],
  [EVERYWHERE, 'passw|passord|kennw|mot de passe|contras|senha|wachtw|has[łl]|losenord|adgangsk|forgot|recover|reset'],
  [ATTRIBUTES, 'confirmation|unlock|verification|edit|profile|settings'],
  [BUTTON, 'resend|^(update|change|delete)( |$)|save changes'],
  [
    EVERYWHERE,
    'unsubs|opt ?out|a[bfv]meld|abbest|d[ei]s(abon|in?scr|cadast)|darse de baja|cancelar|uitschr|wypis|av(reg|pren)',
  ],
  [BUTTON, '^(send )?(invit|einlad|convid|uitnod|zapros|bjud in)'],
  [ATTRIBUTES, 'support|help ?desk|tickets?$|feedback|complain|hc( \\w+)* requests'],
  [BUTTON, 'contact support|(submit|open|create) (a )?ticket|send feedback|report (an?|this) '],
  [BUTTON | ATTRIBUTES, '[ck]omm?ent(s?( |$)|[ao])'],
  [BUTTON | ATTRIBUTES, 'search|suche|recherche|busca|cerca|pesquis|zoek|szukaj|s[oø][gk]'],
  [EMAIL_NAME, 'invit|friend|colleague|recipient|freund|kolleg|ami |amig'],
]

const linesOf = (...texts: (string | null | undefined)[]) => texts.map(plain).join('\n')
const labelOf = (button: Element) =>
  linesOf(button.getAttribute('aria-label'), button.textContent!.slice(0, 80), button.getAttribute('value'))
const has = (lines: string, words: string) => new RegExp(`(^| )(${words})`, 'm').test(lines)

export const isSignUp = (kind: number) => kind <= NO_CLUE

/** Returns what a form, or the container in its place, is with this button: a place in `WHYS`. */
export function kindOf(form: Element, button: Element | null | undefined): number {
  if (form.closest('[data-tributary=off]')) return OFF
  if (form.querySelector('[autocomplete~=current-password]')) return CURRENT_PASSWORD
  if (forms === 'none') return UNMARKED
  if (form.hasAttribute('data-tributary')) return MARKED
  if (forms === 'marked') return UNMARKED
  if (forms === 'all') return ALL
  if (isPointedAt(form)) return CHOSEN
  const fields = (key: GuessedKey) => fieldsFor(key, form)
  const sent = button || form.querySelector(SUBMIT)
  const onButton = sent ? labelOf(sent) : ''
  if (has(onButton, SIGN_UP)) return WORD
  const attributes = linesOf(
    form.getAttribute('id'),
    form.getAttribute('name'),
    // without the host, which is the same for all forms
    (form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, ''),
    (form.querySelector('[name=form_type]') || form).getAttribute('value'),
  )
  const path = plain(location.pathname + (/^#!?\//.test(location.hash) ? location.hash : ''))
  const places = [onButton, attributes, path, plain((fields('email')[0] || form).getAttribute('name'))]
  const other = OTHERS.findIndex(([where, words]) =>
    places.some((lines, place) => where & (1 << place) && has(lines, words)),
  )
  if (has(`${attributes}\n${path}`, SIGN_UP)) return WORD
  if (other >= 0) return FIRST_OTHER + other
  const passwords = form.querySelectorAll('[type=password]')
  const isNew = passwords[1] || form.querySelector('[autocomplete~=new-password]')
  const isNamed = fields('firstName').concat(fields('lastName'), fields('fullName'))[0]
  return passwords[0] && !isNew && !isNamed ? ONE_PASSWORD : NO_CLUE
}
