import { currencyCodes, minorDigits } from '#contract/money.ts'
import type { Json } from '#contract/payload-paths.ts'
import { listLeaves, toText, valueAt, writtenPath } from '#contract/payload-paths.ts'
import { isNoId } from '#contract/values.ts'
import { HIDDEN } from '../../platform/redact.ts'
import { readAmount } from './read-amount.ts'
import { dayAndMonth, type Transform } from './transform.ts'

export type MappingGuess = { field: string; path: string; transform: Transform }

/** Normalized names that senders use for a field, the most reliable first. */
type Names = readonly string[]
const words = (text: string): Names => text.split(' ')

const people: Record<string, Names> = {
  email: words(
    'email emailaddress customeremail buyeremail contactemail payeremail youremail workemail authemail mail',
  ),
  firstName: words('firstname givenname fname namefirst customerfirstname billingfirstname first'),
  lastName: words('lastname surname familyname lname namelast customerlastname billinglastname last'),
  phone: words(
    'phone phonenumber mobile telephone tel cell billingphone textremindernumber smsremindernumber yourphone',
  ),
  company: words('company companyname organization organisation organizationname business businessname billingcompany'),
}
const referral = words(
  'ref referralcode referral refcode via affiliate affiliatecode partner partnercode aff fpr offercode',
)

const lead: Record<string, Names> = {
  ...people,
  externalId: words(
    'externalid leadid contactid customerid submissionid submissiontoken token payloadid payloaduid payloaduri entryid responseid id uid eventid',
  ),
  referralCode: referral,
}
const sale: Record<string, Names> = {
  externalId: words(
    'externalid saleid orderid transactionid invoiceid paymentid chargeid id ordernumber uid transaction',
  ),
  leadExternalId: words('customerid leadexternalid clientid'),
  email: people.email!,
  amount: words('amount total grandtotal price totalprice ordertotal totalamount saleamount subtotal value'),
  taxAmount: words('totaltax taxtotal tax taxamount salestax vat'),
  shippingAmount: words('shippingtotal totalshipping shippingamount shippingcost shippingprice shipping'),
  currency: words('currency currencycode currencyvalue'),
  saleDate: words('saledate datecreated createdat created paidat orderdate date saletimestamp'),
  subscriptionId: words('subscriptionid subscription'),
  description: words('productname description product plan planname item'),
  referralCode: referral,
  country: words('country countrycode billingcountry billingcountrycode customercountry'),
  productId: words('productid'),
  priceId: words('priceid variantid planid'),
  promotionCode: words('promotioncode promocode couponcode discountcode coupon vouchercode'),
}
/** Names of the customer's total, if there are values for tax or shipping too. */
const totals = words('total totalprice ordertotal totalamount grandtotal transactionamount')

const refund: Record<string, Names> = {
  externalId: words('refundid externalid id'),
  saleExternalId: words('saleexternalid saleid orderid transactionid chargeid parentid transaction'),
  amount: words('refundamount amountrefunded amount total'),
  reason: words('reason note'),
}
const status: Record<string, Names> = {
  leadExternalId: words('leadexternalid externalid leadid contactid customerid id'),
  email: people.email!,
  status: words('status stage leadstatus dealstage state'),
  reason: words('reason lostreason statusreason'),
}
/** Names of a transaction's own values, where a body has one: its order may be paid again, and keeps its date. */
const transaction: Partial<Record<Target, Record<string, Names>>> = {
  sale: {
    externalId: words('transactionid'),
    amount: words('transactionamount'),
    taxAmount: words('transactionvatamount transactiontaxamount vatamount'),
    currency: words('transactioncurrency'),
    saleDate: words('transactiondate transactionprocessedat'),
    subscriptionId: words('orderid'),
  },
  refund: {
    externalId: words('transactionid'),
    saleExternalId: words('parenttransactionid originaltransactionid orderid'),
    amount: words('transactionamount'),
  },
}
const fieldsOf = { lead, sale, refund, 'lead-status': status } as const
export type Target = keyof typeof fieldsOf

/** Names of any amount, for how a sender writes them. */
const moneyNames = [
  ...new Set([...sale.amount!, ...sale.taxAmount!, ...sale.shippingAmount!, ...totals, ...refund.amount!]),
  ...words('discount discounttotal fee fees netamount grossamount net gross unitprice balance'),
]

/** Longest field name; longer values are no names. */
const LONGEST_NAME = 200

const normal = (name: string) =>
  (name.length > LONGEST_NAME ? '' : name)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

type Candidate = { path: string; names: string[]; value: string; depth: number }

/** A whole number that may be an amount of either unit: 49 is 49.00, or 0.49. */
export type UnitQuestion = { field: string; path: string; value: string }

/** The likely paths of fields; amounts whose unit is a question are no guesses. */
export type Suggestions = { guesses: MappingGuess[]; questions: UnitQuestion[] }

/** Finds the likely paths of a target's fields in a sample, by the names that senders use. */
export function inferMapping(target: Target, sample: Json): Suggestions {
  const candidates = candidatesOf(sample)
  const taken = new Set<string>()
  const found: MappingGuess[] = []
  const own = hasTransaction(candidates) ? transaction[target] : undefined
  for (const [field, general] of Object.entries(fieldsOf[target])) {
    const names = [...(own?.[field] ?? []), ...general]
    const neighbors = field === 'currency' ? besideAmount(found, candidates) : []
    const best = bestOf(target, neighbors, names, field, taken) ?? bestOf(target, candidates, names, field, taken)
    if (!best) continue
    taken.add(best.path)
    found.push({ field, path: best.path, transform: transformOf(field, best.value) })
  }
  return withUnits(withWholeName(target, withTotal(found, candidates), candidates, taken), candidates)
}

/** Whether a body has a transaction beside the order that it pays: by its own amount, or as one of several. */
function hasTransaction(candidates: Candidate[]): boolean {
  const named = (name: string) => candidates.filter(({ names, value }) => names[0] === name && value.trim() !== '')
  const orders = named('orderid').map(objectOf)
  const ofSeveral = ['transactionamount', 'paysequenceno', 'ratenumber'].flatMap(named).map(objectOf)
  return named('transactionid')
    .map(objectOf)
    .some((around) => orders.includes(around) && ofSeveral.includes(around))
}

/** Returns the paths of a sample that may be read as fields of a target: an id may be called a token. */
export function guessedPaths(target: Target, sample: Json): string[] {
  const { guesses, questions } = inferMapping(target, sample)
  return [...guesses, ...questions].map(({ path }) => path)
}

/**
 * Keeps amounts of whole numbers only if their unit is certain, and asks about the others. A sender writes all amounts
 * alike: one with decimals, or one beside the same in words, tells of all.
 */
function withUnits(found: MappingGuess[], candidates: Candidate[]): Suggestions {
  const isWhole = ({ field, transform }: MappingGuess) => MONEY.includes(field) && transform === 'number'
  const whole = found.filter(isWhole)
  const unit = whole.length > 0 ? unitOf(whole, found, candidates) : null
  const guesses = found.flatMap((guess) => (!isWhole(guess) ? [guess] : unit ? [{ ...guess, transform: unit }] : []))
  const toQuestion = ({ field, path }: MappingGuess) => ({ field, path, value: candidateAt(path, candidates)!.value })
  return { guesses, questions: unit ? [] : whole.map(toQuestion) }
}

function unitOf(whole: MappingGuess[], found: MappingGuess[], candidates: Candidate[]): 'number' | 'cents' | null {
  for (const { path } of whole) {
    const { value } = candidateAt(path, candidates)!
    for (const sibling of besides(path, candidates)) {
      if (Number(value) === sibling) return 'cents'
      if (Number(value) === Math.round(sibling * 100)) return 'number'
    }
  }
  const currency = found.find(({ field }) => field === 'currency')
  const code = candidateAt(currency?.path, candidates)?.value.trim().toLowerCase() ?? ''
  if (currencyCodes.includes(code) && minorDigits(code) === 0) return 'cents'
  const hasDecimals = candidates.some(
    ({ names, value }) => names.some((name) => moneyNames.includes(name)) && readAmount(value, 2)?.includes('.'),
  )
  return hasDecimals ? 'cents' : null
}

/** Returns the amounts beside one as texts: `total_str` of `total`, `formatted_total`, `total_decimal`. */
function besides(path: string, candidates: Candidate[]): number[] {
  const object = objectOf({ path })
  const key = normal(path.slice(object.length))
  const names = [`${key}str`, `${key}string`, `${key}decimal`, `${key}formatted`, `formatted${key}`]
  return candidates.flatMap((one): number[] => {
    const isBeside = objectOf(one) === object && names.includes(normal(one.path.slice(object.length)))
    const amount = isBeside ? readAmount(one.value, 2) : null
    return amount === null ? [] : [Number(amount)]
  })
}

/**
 * Replaces the amount if it is a total that includes tax and shipping, by its name or because it adds up to one. A sender
 * writes all amounts alike: if one has decimals, 19 is not in cents.
 */
function withTotal(found: MappingGuess[], candidates: Candidate[]): MappingGuess[] {
  const amount = found.find(({ field }) => field === 'amount')
  const at = (guess: MappingGuess | undefined) => candidateAt(guess?.path, candidates)
  const called = at(amount)?.names ?? []
  const parts = found.filter(({ field }) => field === 'taxAmount' || field === 'shippingAmount')
  const isTotal =
    (parts.length > 0 && called.some((name) => totals.includes(name))) || isSum(at(amount), parts.map(at), candidates)
  const inDecimals = found.some(({ field, transform }) => amounts.includes(field) && transform === 'cents')
  return found.map((guess) => {
    if (!amounts.includes(guess.field)) return guess
    const field = guess === amount && isTotal ? 'grossAmount' : guess.field
    return { ...guess, field, transform: inDecimals ? 'cents' : guess.transform }
  })
}

/** Whether an amount is another one beside the tax plus the tax, or plus the shipping too. */
function isSum(amount: Candidate | undefined, parts: (Candidate | undefined)[], candidates: Candidate[]): boolean {
  const [tax] = parts
  if (!amount || !tax) return false
  const total = worthOf(amount)
  const around = objectOf(tax)
  const sums = parts.map((_, last) =>
    parts.slice(0, last + 1).reduce((sum, part) => sum + (part ? worthOf(part) : 0), 0),
  )
  return candidates.some(
    (one) =>
      objectOf(one) === around &&
      fits('amount', one.value) &&
      sums.some((more) => more > 0 && worthOf(one) > 0 && Math.abs(worthOf(one) + more - total) < 0.001),
  )
}

const worthOf = ({ value }: Candidate) => Number(readAmount(value, 2) ?? Number.NaN)
/** Returns the path of the object that a value is in, with its dot; empty at the top. */
const objectOf = ({ path }: Pick<Candidate, 'path'>) => path.slice(0, path.lastIndexOf('.') + 1)
const candidateAt = (path: string | undefined, candidates: Candidate[]) => candidates.find((one) => one.path === path)

function bestOf(target: Target, candidates: Candidate[], names: Names, field: string, taken: Set<string>) {
  const ranked = candidates
    .map((candidate) => {
      const ranks = candidate.names.map((name) => names.indexOf(name)).filter((rank) => rank >= 0)
      return { ...candidate, rank: ranks.length > 0 ? Math.min(...ranks) : Number.POSITIVE_INFINITY }
    })
    .filter(({ rank, path, value }) => rank < Number.POSITIVE_INFINITY && !taken.has(path) && fits(field, value))
    .sort(
      (one, other) =>
        Number(isOfItem(field, one)) - Number(isOfItem(field, other)) ||
        one.rank - other.rank ||
        one.depth - other.depth,
    )
  const isRecord = field === 'externalId' && (target === 'sale' || target === 'refund')
  const best = ranked
    .slice(0, MOST_RANKED)
    .find((one) => isOwn(field, one.path) && !(isRecord && isOfBuyer(one.path)) && !isElse(field, one, candidates))
  if (best || field !== 'email') return best
  return candidates.find(({ path, value }) => !taken.has(path) && fits('email', value) && isOwn('email', path))
}

/** Most candidates of a field that are looked at: a list may have thousands of one name. */
const MOST_RANKED = 50

/** Whether a candidate is something else by its neighbors: an event's id, a phone as an amount, a field's reference. */
function isElse(field: string, { names: called, path, value }: Candidate, candidates: Candidate[]) {
  if (field === 'externalId' && path === 'id')
    return candidates.some((other) => /^(data|payload|content|object|resource)\./.test(other.path))
  if (field === 'amount' && keysAround(path).some((key) => wordsIn(key).some((word) => PARTS.includes(word))))
    return true
  if (field === 'amount' && isCount(path, candidates)) return true
  if (amounts.includes(field))
    return candidates.some((other) => other.value === value && other.names.some((name) => name.includes('phone')))
  if (field !== 'referralCode' || !called.includes('ref')) return false
  const parent = objectOf({ path })
  return parent !== '' && candidates.some((other) => [`${parent}type`, `${parent}title`].includes(other.path))
}

/** Whether an `amount` is alone in its object while others are beside their currency: it counts something, as tickets. */
function isCount(path: string, candidates: Candidate[]): boolean {
  const object = objectOf({ path })
  if (!path.endsWith('.amount') || candidates.filter((one) => objectOf(one) === object).length > 1) return false
  const named = (names: Names) => candidates.filter((one) => names.includes(one.names[0]!)).map(objectOf)
  const withCurrency = new Set(named(sale.currency!))
  return named(moneyNames).some((around) => around !== '' && withCurrency.has(around))
}

/** Words for the parts of a total that are not the price, or are taken off it. */
const PARTS = words(
  'shipping delivery tax taxes vat discount discounts tip tips fee fees duty duties commission commissions',
)
/** Lists of what was bought, whose amounts are parts of the sale's. */
const ITEMS = words('items lineitems lines orderitems products')

const isOfItem = (field: string, { path }: Candidate) =>
  amounts.includes(field) && keysAround(path).some((key) => ITEMS.includes(normal(key)))

const wordsIn = (key: string) =>
  key
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/)

const LONGEST_VALUE = 255
const amounts = ['amount', 'taxAmount', 'shippingAmount']
const MONEY = [...amounts, 'grossAmount']

/** Objects that describe what was filled in or bought, whose ids are the same for everyone. */
const THINGS = words(
  'form definition survey quiz question questions field fields option options choice choices page site list campaign product products item items lineitems offer eventtype calendar team account store workspace plan coupon coupons affiliate affiliates',
)
/** People and agreements that buy more than once: their ids are no sale's. */
const BUYERS = words('customer buyer payer client contact person member subscriber subscription')
/** People who are not the customer. */
const HOSTS = words('organizer organiser host owner agent assignee seller merchant receiver user createdby updatedby')
const IDS = ['externalId', 'leadExternalId', 'saleExternalId', 'subscriptionId']
const PEOPLE = ['email', 'firstName', 'lastName', 'name', 'phone', 'company', 'externalId', 'leadExternalId']

/** Whether a path leads to a field's own object: no id of a form, no name of a host. */
function isOwn(field: string, path: string) {
  const around = keysAround(path).map(normal)
  if ((IDS.includes(field) || field === 'saleDate') && around.some((key) => THINGS.includes(key))) return false
  return !PEOPLE.includes(field) || !around.some((key) => HOSTS.includes(key))
}

const isOfBuyer = (path: string) => keysAround(path).some((key) => BUYERS.includes(normal(key)))

/** Returns the values in the object that the amount is in: each amount of a sender may have its own currency. */
function besideAmount(found: MappingGuess[], candidates: Candidate[]): Candidate[] {
  const amount = found.find(({ field }) => field === 'amount')
  return amount ? candidates.filter((one) => objectOf(one) === objectOf(amount)) : []
}

/** Returns the keys of the objects around a value. */
const keysAround = (path: string) => keysOf(path.replace(/\[[^\]]*\]/g, '')).slice(0, -1)

/** Whether a value is plausible for its field: the id of an e-mail field is no e-mail. */
function fits(field: string, value: string) {
  if (value.length > LONGEST_VALUE || value.trim() === '' || value === HIDDEN) return false
  if (IDS.includes(field)) return !isNoId(value)
  if (field === 'email') return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim())
  if (field === 'phone') return value.replace(/\D/g, '').length >= 7
  if (amounts.includes(field)) return readAmount(value, 2) !== null
  if (field === 'currency') return /^[a-z]{3}$/i.test(value.trim())
  return true
}

/** Returns the path of the list or object around a value, whichever item of the list it is. */
const around = (path: string) => objectOf({ path: path.replace(/\[[^\]]*\]/g, '') })

/** Uses a whole name where there is no first or last one. */
function withWholeName(target: Target, found: MappingGuess[], candidates: Candidate[], taken: Set<string>) {
  if (
    target !== 'lead' ||
    found.length === 0 ||
    found.some(({ field }) => field === 'firstName' || field === 'lastName')
  )
    return found
  const email = found.find(({ field }) => field === 'email')?.path ?? ''
  const near = candidates.filter(({ path, names }) => !names.includes('name') || around(path) === around(email))
  const best = bestOf(target, near, ['name', 'fullname', 'yourname', 'customername', 'contactname'], 'name', taken)
  return best ? [...found, { field: 'fullName', path: best.path, transform: 'trim' as const }] : found
}

function transformOf(field: string, value: string): Transform {
  if (field === 'email' || field === 'referralCode' || field === 'currency') return 'lowercase'
  if (amounts.includes(field)) return readAmount(value, 2)!.includes('.') ? 'cents' : 'number'
  if (field === 'saleDate') return dayAndMonth(value)[0]! > 12 ? 'day-first-date' : 'date'
  return 'trim'
}

/** Keys with the names of fields in lists of form fields, and keys with their values. */
const LABELS = [
  'label',
  'title',
  'question',
  'name',
  'key',
  'field.title',
  'field.ref',
  'field.id',
  'ref',
  'text',
  'type',
]
const VALUES = [
  'value',
  'answer',
  'response',
  'email',
  'phone_number',
  'text',
  'number',
  'choice.label',
  'payment.amount',
  'values',
]

function candidatesOf(sample: Json): Candidate[] {
  const leaves = listLeaves(sample)
  const inObject = Map.groupBy(leaves, objectOf)
  /** `{amount, currency}` is named by the object around. */
  const isMoney = (path: string, key: string) => {
    const siblings = inObject.get(objectOf({ path })) ?? []
    return key === 'amount' && siblings.length <= 3 && siblings.some((one) => /currency/i.test(one.key))
  }
  const single = leaves.map(({ path, key, value }): Candidate => {
    const keys = keysOf(path)
    const isNamedAround = keys.length > 1 && isMoney(path, key)
    // a generic key such as `value` is dropped: `ref.value` is `ref`
    const naming = isNamedAround || (keys.length > 1 && VALUES.includes(keys.at(-1)!)) ? keys.slice(0, -1) : keys
    const names = [(isNamedAround ? naming : keys).slice(-1), naming.slice(-1), naming.slice(-2), naming.slice(-3)].map(
      (tail) => normal(tail.join('')),
    )
    return { path, names, value, depth: keys.length }
  })
  return [...labeled(sample, titlesIn(sample)), ...single]
}

const keysOf = (path: string) =>
  path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/'))
    : path.split('.')

/** Finds values in lists whose items contain their names: `fields[label=Email].value`. */
function labeled(value: Json, titles: Map<string, string>, keys: string[] = []): Candidate[] {
  if (value === null || typeof value !== 'object') return []
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => labeled(inner, titles, [...keys, key]))
  return value.flatMap((item, index) => {
    const inner = labeled(item, titles, [...keys, String(index)])
    if (item === null || typeof item !== 'object' || Array.isArray(item)) return inner
    const base = writtenPath(keys)
    const at = VALUES.find((path) => toText(valueAt(item, path)) !== null)
    const label = LABELS.find((path) => path !== at && /^[^\]=]{1,200}$/.test(toText(valueAt(item, path)) ?? ''))
    if (!at || !label || base.startsWith('/')) return inner
    const labelText = toText(valueAt(item, label))!
    const fieldTitle = titles.get(toText(valueAt(item, 'field.id')) ?? toText(valueAt(item, 'id')) ?? '')
    const named = [...LABELS.map((path) => toText(valueAt(item, path))), fieldTitle ?? null]
    const names = named.filter((name) => name !== null)
    const path = `${base}[${label}=${labelText}].${at}`
    return [
      { path, names: names.map(withoutKind), value: toText(valueAt(item, at))!, depth: keys.length + 1 },
      ...inner,
    ]
  })
}

/** Most questions whose titles are looked up. */
const MOST_TITLES = 300

/** Returns the titles of questions by their IDs: answers may be in another list, with the IDs alone. */
function titlesIn(sample: Json, titles = new Map<string, string>()): Map<string, string> {
  if (sample === null || typeof sample !== 'object' || titles.size >= MOST_TITLES) return titles
  if (Array.isArray(sample))
    for (const item of sample) {
      const id = toText(valueAt(item, 'id'))
      const title = toText(valueAt(item, 'title')) ?? toText(valueAt(item, 'label'))
      if (id !== null && title !== null && titles.size < MOST_TITLES) titles.set(id, title)
    }
  for (const inner of Object.values(sample)) titlesIn(inner, titles)
  return titles
}

/** Normalizes `INPUT_EMAIL`, `Your email` and `email?` to `email`. */
const withoutKind = (name: string) => normal(name).replace(/^(input|your|customer|contact|what(is|s)your)/, '')
