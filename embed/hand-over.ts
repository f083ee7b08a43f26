import { checkoutDomains, cookieDays, domains, program } from './account.ts'
import { listValues, pairsIn } from './address.ts'
import { findAll } from './fields.ts'
import { formatReference, MARKED, NAME, NONE, nowInSeconds, parseReference, type Reference } from './reference.ts'
import { ignoringRefusal } from './refusal.ts'

/** Seconds in which an address hands a referral to another domain, so that a copied one gives no credit. */
const HANDED_FOR = 300

/** Values that Stripe takes, if they are shorter than 200 characters, as all are: it drops any others, silently. */
const PLAIN = /^[\w-]+$/

/**
 * Elements that get the referral, their attribute for it, and its name there after the mark before the first of several
 * names. Without a name, it's the whole value.
 */
type Place = readonly [css: string, attribute: string, markedName?: string]

// also those that got it when a click or a submission led to another domain
const LINK: Place = [`a${MARKED},a[href*=${NAME}]`, 'href', `?${NAME}`]
const ACTION: Place = [`form[action*=${NAME}]`, 'action', `?${NAME}`]
const FIELD: Place = [`[name*=${NAME}],[id*=${NAME}],[class*=${NAME}],[class*=${NAME}]>*,${MARKED}:not(form)`, 'value']

const CHECKOUTS = checkoutDomains.concat('buy.stripe.com', 'book.stripe.com', 'donate.stripe.com')

/** All places; the first one that an element belongs to is its only one. */
const PLACES: Place[] = [
  [CHECKOUTS.map((host) => `a[href^="https://${host}/"],a[href*=".${host}/"]`).join(), 'href', '?client_reference_id'],
  ['stripe-pricing-table,stripe-buy-button', 'client-reference-id'],
  // a signed address takes no more parameters
  ['a[href*=".lemonsqueezy.com/"]:not([href*="signature="])', 'href', '?checkout[custom][click_id]'],
  [
    '[data-tf-widget],[data-tf-popup],[data-tf-slider],[data-tf-popover],[data-tf-sidetab],[data-tf-live]',
    'data-tf-hidden',
    ',ref',
  ],
  ['iframe[src*=typeform]', 'src', '#ref'],
  ['[data-url*="//calendly.com/"]', 'data-url', '?utm_term'],
  ['iframe[src*="//calendly.com/"]', 'src', '?utm_term'],
  [`iframe${MARKED}`, 'src', `?${NAME}`],
  LINK,
  ACTION,
  FIELD,
]

/** Finds this program's entry in an address, to which each program on the page adds its own. */
const OWN = new RegExp(`([?&]${NAME}=)${program}[^&#]*`)

const placeOf = (element: Element) => PLACES.find(([css]) => element.matches(css))

/** Returns the text with the value under the place's name, or as it is if it has one already. */
function withValue(text: string, value: string, [, , markedName]: Place): string {
  if (!markedName) return text || value
  const mark = markedName[0]!
  const name = markedName.slice(1)
  if (OWN.test(text) || (PLAIN.test(value) && listValues(pairsIn(`?${text.replace(/,/g, '&')}`), name).length))
    return text.replace(OWN, `$1${value}`)
  const start = mark === '?' ? text.split('#')[0]! : text
  return `${start}${mark === ',' || start.indexOf(mark) < 0 ? mark : '&'}${name}=${value}${text.slice(start.length)}`
}

/** Returns the referral that a page of another domain handed over in one of these addresses, if it is fresh. */
export const handedIn = (addresses: unknown[]) =>
  domains[0] &&
  listValues(pairsIn(addresses.join('&')), NAME)
    .map((value) => {
      const [, entry, at] = /^(.*)\.(.*)/.exec(value) || []
      return Math.abs(nowInSeconds() - +at!) < HANDED_FOR && parseReference(entry, program, cookieDays, nowInSeconds())
    })
    .find((reference) => reference)

const written = new WeakMap<Element, [before: string, after: string]>()
/** The visitor's referral; none without consent. */
let held = NONE
let isSettled = false

/** Writes a value into a place, or, without one, takes back what was written. */
function write(element: HTMLInputElement, place: Place, value: string) {
  const attribute = place[1]
  const isField = attribute === 'value'
  const isFrame = attribute === 'src'
  const [before, after] = written.get(element) || []
  // a frame is loaded again once, never while the visitor is in it
  if (isFrame ? after || !value || !isSettled : isField && !/^(hidden|text)/.test(element.type)) return
  const now = (isField ? element.value : element.getAttribute(attribute)) || ''
  const own = after === now ? before! : now
  const next = value ? withValue(own, value, place) : own.replace(OWN, '')
  written.set(element, [own, next])
  if (next === now || (isFrame && element === document.activeElement)) return
  const { parentNode, nextSibling } = element
  if (isField) {
    // past the setter that frameworks put over it
    Reflect.set(element.constructor.prototype, 'value', next, element)
    for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
  } else {
    // loads it even if only what is behind `#` differs, and without a step in the history
    if (isFrame) element.remove()
    element.setAttribute(attribute, next)
    if (isFrame) parentNode!.insertBefore(element, nextSibling)
  }
}

/** Returns the field of a form that gets the referral. */
const fieldIn = (form: Element, own: string) =>
  (findAll(`[name=${NAME}]${own}`, form)[0] as HTMLInputElement) ||
  form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name: NAME }))

function writePlaces(elements: Element[]) {
  const [, code, click] = held
  const value = click || code
  for (const element of elements) {
    const place = placeOf(element)!
    ignoringRefusal(() => write(element as HTMLInputElement, place, place === FIELD || PLAIN.test(value) ? value : ''))
  }
}

/** Hands a referral over to all places on the page; without one, takes back the former. Frames wait until it is settled. */
export function writeReferral(reference: Reference, settled: boolean) {
  const isNeeded = held[0] || reference[0]
  held = reference
  isSettled = settled
  if (held[0]) for (const form of findAll(`form${MARKED}`)) fieldIn(form, '')
  if (isNeeded) writePlaces(findAll(PLACES.map(([css]) => css).join()))
}

/** Adds the whole referral to the address of a link or a form before it leads to another of the account's domains. */
export function crossDomain(element: Element) {
  const place = element.matches('a') ? LINK : ACTION
  const [from, to] = [location.href, element.getAttribute(place[1])!].map((address) =>
    domains.find((domain) => `.${new URL(address, document.baseURI).hostname}`.endsWith(`.${domain}`)),
  )
  const value = `${formatReference(program, held)}.${nowInSeconds()}`
  if (held[0] && from && to && from !== to && (placeOf(element) || place) === place)
    if (place === LINK || /post/i.test(element.getAttribute('method')!))
      write(element as HTMLInputElement, place, encodeURIComponent(value))
    // a form that isn't posted replaces the query of its address
    else write(fieldIn(element, `[value^="${program}:"]`), FIELD, value)
}

/** Returns an address as a marked link would have it when it's clicked. */
export function addReferral(address: string): string {
  const link = Object.assign(document.createElement('a'), { href: address })
  link.dataset.tributary = ''
  writePlaces([link])
  crossDomain(link)
  return link.getAttribute('href')!
}
