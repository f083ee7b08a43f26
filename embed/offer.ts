import { program, server } from './account.ts'
import { ignoringRefusal } from './refusal.ts'

/** The offer behind the visitor's link, as the server answers it. */
type Offer = {
  code: string
  percentOff: number | null
  amountOff: number | null
  currency: string | null
  providerCodeId: string
  from: string | null
}

type Api = { (command: string, value: unknown): void; q?: unknown[]; offer?: Offer | null }
type Referral = { program: string; referral: string; referralCode: string | null } | null

const scope = window as unknown as { tributary?: Api }

/** Returns the page's function, which the script may have made already, or makes later and then reads the calls of this one. */
function pageFunction(): Api {
  const stub: Api = (...call) => {
    stub.q = (stub.q || []).concat([call])
  }
  return scope.tributary || stub
}

const api = pageFunction()
scope.tributary = api
/** The offers of this visit, which only a visitor with a referral has. */
const KEY = `tributary_offer.${program}`
/** The text of an element before the offer, and the code that a link got. */
const before = new WeakMap<Element, string>()
let code = ''
/** The referral that the script adds to links to a checkout. */
let handed = ''

const findLinks = () => Array.from(document.querySelectorAll<HTMLAnchorElement>('a[data-tributary-checkout]'))

/** Returns an amount or a percentage as the page's language writes it; a field of the offer as it is. */
function format(offer: Offer, field: string) {
  if (field) return String(offer[field as keyof Offer] || '')
  const language = document.documentElement.lang || undefined
  if (offer.percentOff)
    return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(
      offer.percentOff / 100,
    )
  if (!offer.amountOff || !offer.currency) return ''
  const money = new Intl.NumberFormat(language, { style: 'currency', currency: offer.currency })
  return money.format(offer.amountOff / 10 ** money.resolvedOptions().maximumFractionDigits!)
}

/** Writes the offer into the page, or, without one, what was there before. */
function show(offer: Offer | null) {
  scope.tributary!.offer = offer
  for (const element of Array.from(document.querySelectorAll<HTMLElement>('[data-tributary-offer]'))) {
    if (!before.has(element)) before.set(element, element.textContent || '')
    const text = offer ? format(offer, element.getAttribute('data-tributary-offer')!) : ''
    element.textContent = text || before.get(element)!
    element.hidden = !text && !before.get(element)
  }
  for (const link of findLinks()) {
    const address = new URL(link.href)
    const fields = address.searchParams
    const name = link.getAttribute('data-tributary-checkout') || 'prefilled_promo_code'
    if (fields.get(name) === before.get(link)) fields.delete(name)
    if (offer && !fields.has(name)) {
      fields.set(name, offer.code)
      before.set(link, offer.code)
    }
    link.href = address.href
  }
}

/**
 * Replaces the referral in links that have a code, or takes it out: the script itself does so only in an address that is
 * as it has left it.
 */
function replaceReferral(referral: string) {
  for (const link of findLinks().filter((one) => handed && before.has(one))) {
    const address = new URL(link.href)
    for (const [name, value] of Array.from(address.searchParams))
      if (value === handed)
        if (referral) address.searchParams.set(name, referral)
        else address.searchParams.delete(name)
    link.href = address.href
  }
  handed = referral
}

/** Reads the offer behind the visitor's code, once a visit. */
function read(referral: Referral) {
  if (referral && referral.program !== program) return
  replaceReferral(referral?.referral || '')
  const given = referral?.referralCode || ''
  if (given === code) return
  code = given
  if (!given) {
    ignoringRefusal(() => sessionStorage.removeItem(KEY))
    return show(null)
  }
  const [known, kept] = ignoringRefusal(() => JSON.parse(sessionStorage.getItem(KEY)!) as [string, Offer | null]) || []
  if (known === given) return show(kept || null)
  const address = new URL(`/api/v1/offers/${encodeURIComponent(given)}?account=${program}`, server)
  fetch(address.href)
    .then((reply) => (reply.ok ? reply.json() : null))
    .then((offer: Offer | null) => {
      if (code !== given) return
      ignoringRefusal(() => sessionStorage.setItem(KEY, JSON.stringify([given, offer])))
      show(offer)
    })
    .catch(() => {})
}

api('change', read)
