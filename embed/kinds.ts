import type { FormsMode, Selectors } from './configuration.ts'
import { fieldsFor } from './fields.ts'
import { plain } from './guesses.ts'
import { SUBMIT } from './submission.ts'

/** Why a form is a sign-up, or why it is none. */
export type Why =
  | 'marked'
  | 'chosen'
  | 'all'
  | 'word'
  | 'no-clue'
  | 'off'
  | 'unmarked'
  | 'current-password'
  | 'one-password'
  | Kind

/** Forms that act on what exists already, name another person, or only write to the company. */
type Kind = 'log-in' | 'password' | 'account' | 'unsubscribe' | 'invite' | 'support' | 'comment' | 'search'

const BUTTON = 1
const ATTRIBUTES = 2
const PATH = 4
const EVERYWHERE = 7

// words at the beginning of a word, in normalized texts; English, German, French, Spanish, Italian, Portuguese, Dutch,
// Polish, Swedish, Danish and Norwegian
const SIGN_UP =
  'sign ?up|regist|zarejestr|create$|cr(ea|[ée]e|ia)\\S* (\\S+ )*(account|profile|compte|cuenta|conta)|join|subscri|suscrib|subskryb|get started|start (my|your|free|a )|free trial|try |konto (anl|erst)|abb?on|jetzt starten|kostenlos testen|in?scr|inschrij|essayer|commencer|empezar|pr(ueba|ova|obeer|øv)|inizia|cadastr|assin|começar|teste|account (aan)?maken|begin|załóż|zapisz|utwórz konto|wypróbuj|skapa konto|prenumerera|kom (igång|i gang)|opp?ret|tilmeld|meld (deg|meg) på'
const KINDS: [Kind, where: number, words: string][] = [
  [
    'log-in',
    EVERYWHERE,
    '(log|sign) ?in(?!g)|einlog|connexion|connecter|identifier|iniciar ses[is]|acceder|accedi|entrar|entra$|acessar|inlog|zaloguj|logowani|logga in|logg inn',
  ],
  [
    'password',
    EVERYWHERE,
    'passw|passord|kennwort|mot de passe|contrase[nñ]|senha|wachtwoord|has[łl]|lösenord|adgangskode|forgot|recover|reset',
  ],
  ['account', ATTRIBUTES, 'confirmation|unlock|verification|edit|profile|settings'],
  ['account', BUTTON, 'resend|^(update|change|delete)( |$)|save changes'],
  [
    'unsubscribe',
    EVERYWHERE,
    'unsubscri|opt ?out|a[bfv]meld|abbestell|d[eéi]s(abonn|in?scri|cadastr)|darse de baja|cancelar|uitschrijven|wypisz|av(registr|prenum)',
  ],
  ['invite', BUTTON, '^(send )?(invit|einlad|convid|uitnodig|zaproś|bjud in)'],
  ['support', ATTRIBUTES, 'support|help ?desk|tickets?$|feedback|complain|hc( \\w+)* requests'],
  ['support', BUTTON, 'contact support|(submit|open|create) (a )?ticket|send feedback|report (an?|this) '],
  ['comment', BUTTON | ATTRIBUTES, 'comments?( |$)|kommentar|commentaire|comentario|commento|reactie|komentarz'],
  ['search', BUTTON | ATTRIBUTES, 'search|suche|recherche|buscar|cerca|pesquis|zoek|szukaj|sök|sø[gk]'],
]
const SOMEONE_ELSE = 'invit|friend|colleague|recipient|freund|kolleg|ami |amigo'

const has = (texts: string[], words: string) => {
  const pattern = new RegExp(`(^| )(${words})`)
  return texts.some((text) => pattern.test(text))
}

export const isSignUp = (why: Why) => /^(marked|chosen|all|word|no-clue)$/.test(why)

/** A form, or the container in its place, with its button. `isChosen`: the owner points at its container or its button. */
export type FormOnPage = { form: Element; button: Element | null | undefined; isChosen?: boolean }

/** Returns whether a form starts a customer, and why. */
export function kindOf({ form, button, isChosen }: FormOnPage, mode: FormsMode, selectors: Selectors): Why {
  if (form.closest('[data-tributary=off]')) return 'off'
  if (form.querySelector('[autocomplete~=current-password]')) return 'current-password'
  if (mode !== 'none' && form.hasAttribute('data-tributary')) return 'marked'
  if (mode === 'none' || mode === 'marked') return 'unmarked'
  if (mode === 'all') return 'all'
  if (isChosen) return 'chosen'
  const attribute = (name: string, of: Element | null | undefined = form) => plain(of?.getAttribute(name) || '')
  const sent = button || form.querySelector(SUBMIT)
  const onButton = [
    attribute('aria-label', sent),
    plain((sent?.textContent || '').slice(0, 80)),
    attribute('value', sent),
  ]
  if (has(onButton, SIGN_UP)) return 'word'
  const attributes = [
    attribute('id'),
    attribute('name'),
    // without the host, which is the same for all forms
    plain((form.getAttribute('action') || '').replace(/^\w+:\/\/[^/]*/, '')),
    attribute('value', form.querySelector('[name=form_type]')),
  ]
  const path = [plain(location.pathname + (/^#!?\//.test(location.hash) ? location.hash : ''))]
  const fields = (key: 'email' | 'firstName' | 'lastName' | 'fullName') => fieldsFor(key, selectors, form)
  const [kind] =
    KINDS.filter(
      ([, where, words]) =>
        (where & BUTTON && has(onButton, words)) ||
        (where & ATTRIBUTES && has(attributes, words)) ||
        (where & PATH && has(path, words)),
    )[0] || (has([attribute('name', fields('email')[0])], SOMEONE_ELSE) ? ['invite' as const] : [])
  if (has(attributes.concat(path), SIGN_UP)) return 'word'
  if (kind) return kind
  const passwords = form.querySelectorAll('[type=password]')
  const isNew = passwords[1] || form.querySelector('[autocomplete~=new-password]')
  if (passwords[0] && !isNew && !fields('firstName').concat(fields('lastName'), fields('fullName'))[0])
    return 'one-password'
  return 'no-clue'
}
