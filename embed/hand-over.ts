import { checkoutDomains, cookieDays, domains, program } from './account.ts'
import { pairsIn } from './address.ts'
import { findAll } from './fields.ts'
import { formatReference, parseReference, type Reference, seconds } from './reference.ts'
import { ignoringRefusal } from './refusal.ts'

/** Name of the fields, and of the parameter of addresses, that get the referral. */
const NAME = 'tributary_ref'
const MARKED = '[data-tributary]:not([data-tributary=off])'
/** Seconds in which an address hands a referral to another domain, so that a copied one gives no credit. */
const HANDED_FOR = 300

/** Values that Stripe takes: it drops any others, silently. */
const PLAIN = /^[\w-]{1,200}$/

/**
 * Elements that get the referral, their attribute for it, its name there, and the mark before the first of several names.
 * Without a name, it's the whole value. The first place that an element belongs to is its only one.
 */
type Place = readonly string[]

const FIELD: Place = [`[name*=${NAME}],[id*=${NAME}],[class*=${NAME}],[class*=${NAME}]>*,${MARKED}`, 'value']
// also those that got it when a click or a submission led to another domain
const LINK: Place = [`a${MARKED},a[href*=${NAME}]`, 'href', NAME, '?']
const ACTION: Place = [`form[action*=${NAME}]`, 'action', NAME, '?']

const CHECKOUTS = checkoutDomains.concat('buy.stripe.com', 'book.stripe.com', 'donate.stripe.com')

const PLACES: Place[] = [
  FIELD,
  [
    CHECKOUTS.map((host) => `a[href^="https://${host}/"],a[href*=".${host}/"]`).join(),
    'href',
    'client_reference_id',
    '?',
  ],
  ['stripe-pricing-table,stripe-buy-button', 'client-reference-id'],
  // a signed address takes no more parameters
  ['a[href*=".lemonsqueezy.com/"]:not([href*="signature="])', 'href', 'checkout[custom][click_id]', '?'],
  [
    '[data-tf-widget],[data-tf-popup],[data-tf-slider],[data-tf-popover],[data-tf-sidetab],[data-tf-live]',
    'data-tf-hidden',
    'ref',
    ',',
  ],
  ['iframe[src*="typeform.com/"],iframe[src*=typeform-embed]', 'src', 'ref', '#'],
  ['[data-url*="//calendly.com/"]', 'data-url', 'utm_term', '?'],
  ['iframe[src*="//calendly.com/"]', 'src', 'utm_term', '?'],
  [`iframe${MARKED}`, 'src', NAME, '?'],
  LINK,
  ACTION,
]

/** Returns the text with the value under the place's name, or as it is if it has one already. */
function withValue(text: string, value: string, [, , name, mark = '']: Place): string {
  if (!name) return text || value
  if (pairsIn(`?${text.replace(/,/g, '&')}`).some(([given]) => given === name)) return text
  const end = mark === '?' ? text.search(/#|$/) : text.length
  const start = text.slice(0, end)
  return `${start}${mark === ',' || start.indexOf(mark) < 0 ? mark : '&'}${name}=${value}${text.slice(end)}`
}

/** Returns the referral that a page of another domain handed over in this address, if it is fresh. */
export const handedIn = (address: string) =>
  domains[0] &&
  pairsIn(address)
    .map(([name, value]) => {
      const [, entry, at] = /^(.*)\.(.*)/.exec(value) || []
      return name === NAME && Math.abs(seconds() - Number(at)) < HANDED_FOR
        ? parseReference(entry, program, cookieDays, seconds())
        : undefined
    })
    .filter((reference) => reference)[0]

const ANY = PLACES.map(([css]) => css).join()

const written = new WeakMap<Element, [place: Place, before: string, after: string]>()
/** The visitor's referral; undefined without one, or without consent. */
let held: Reference | undefined
let isSettled = false

/** Writes a value into a place, or, without one, takes back what was written. */
function write(element: Element, place: Place, value: string | undefined) {
  // a form gets a field
  if (place === FIELD && element.tagName === 'FORM') {
    if (value) write(fieldIn(element), place, value)
    return
  }
  const attribute = place[1]!
  const field = element as HTMLInputElement
  const isField = place === FIELD
  const isFrame = attribute === 'src'
  const [by, before, after] = written.get(element) || [place]
  if (by !== place || (isField && !/^(hidden|text)/.test(field.type))) return
  // a frame is loaded again once
  if (isFrame && (after || !value || !isSettled)) return
  const now = (isField ? field.value : element.getAttribute(attribute)) || ''
  const own = after === now ? before! : now
  const next = value ? withValue(own, value, place) : own
  written.set(element, [place, own, next])
  // never while the visitor is in it
  if (next === now || (isFrame && element === document.activeElement)) return
  if (isField) {
    // past the setter that frameworks put over it
    Reflect.set(field.constructor.prototype, 'value', next, field)
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
    return
  }
  const { parentNode, nextSibling } = element
  // loads it even if only what is behind `#` differs, and without a step in the history
  if (isFrame) element.remove()
  element.setAttribute(attribute, next)
  if (isFrame) parentNode!.insertBefore(element, nextSibling)
}

function fieldIn(form: Element): Element {
  const [own] = findAll(form, `[name=${NAME}]`)
  return own || form.appendChild(Object.assign(document.createElement('input'), { type: 'hidden', name: NAME }))
}

function giveTo(elements: Element[]) {
  const value = held && (held.click || held.code)
  for (const element of elements)
    for (const place of PLACES)
      if (element.matches(place[0]!))
        ignoringRefusal(() => write(element, place, place === FIELD || PLAIN.test(value || '') ? value : undefined))
}

/** Hands a referral over to all places on the page; without one, takes back the former. Frames wait until it is settled. */
export function give(reference: Reference | undefined, settled: boolean) {
  const isNeeded = held || reference
  held = reference
  isSettled = settled
  if (isNeeded) giveTo(findAll(document, ANY))
}

/** Adds the whole referral to an address if it leads to another of the account's domains. */
function cross(element: Element, place: Place) {
  const [from, to] = [location.href, element.getAttribute(place[1]!)!].map((address) => {
    const { hostname } = new URL(address, document.baseURI)
    return domains.filter((domain) => `.${hostname}`.endsWith(`.${domain}`))[0]
  })
  if (!held || !from || !to || from === to) return
  const value = `${formatReference('', held).slice(1)}.${seconds()}`
  // a form that isn't posted replaces the query of its address
  if (place === LINK || /post/i.test(`${element.getAttribute('method')}`))
    write(element, place, encodeURIComponent(value))
  else write(fieldIn(element), FIELD, value)
}

/** Hands over to another domain before a click or a submission leads there. */
export function leave(event: Event) {
  const [target] = event.composedPath() as Element[]
  if (event.type === 'submit') cross(target!, ACTION)
  else cross(target!.closest('a[href]')!, LINK)
}

/** Returns an address as a marked link would have it when it's clicked. */
export function link(address: string): string {
  const link = Object.assign(document.createElement('a'), { href: address })
  link.setAttribute('data-tributary', '')
  giveTo([link])
  cross(link, LINK)
  return link.getAttribute('href')!
}
