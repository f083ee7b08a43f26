import { type Arrival, type Names, referralIn } from '../../../embed/address.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { ownersOfCodes, resolveClick } from './attribution.ts'
import { linkNames } from './queries.ts'

export type { Names } from '../../../embed/address.ts'

const DEFAULT_PARAMETER = 'ref'

/**
 * Returns the parameters of links, before those of old links only, in lower case: addresses carry them in any case. `own`:
 * of the enabled blueprints.
 */
export function toParameterNames(own: string[], old: string[]): Names {
  const lower = (names: string[]) => names.map((name) => name.toLowerCase())
  const ours = own.length > 0 ? lower(own) : [DEFAULT_PARAMETER]
  const others = lower(old)
  const plain = [...new Set(ours.filter((name) => !others.includes(name)))]
  return { names: [...new Set([...plain, ...ours, ...others])], plain: plain.length }
}

/** A code that needs no reading, and a click id: nearly all values. */
const PLAIN_CODE = /^[\w-]{1,32}$/
const NUMBER = /^\d+$/

/** A value given where a click id or a code is expected. `asksCode`: the field asks for a code, so that a number is one. */
type Given = { given: string; asksCode: boolean }

/** Reads values as `referralIn` does. */
export async function readReferrals(db: Queryable, accountId: string, values: Given[]): Promise<Arrival[]> {
  const isPlain = ({ given, asksCode }: Given) => PLAIN_CODE.test(given) && (asksCode || !NUMBER.test(given))
  const read = values.map((value): Arrival | null => {
    if (asUuid(value.given) !== NIL) return { codes: [], click: asUuid(value.given) }
    return isPlain(value) ? { codes: [value.given], click: '' } : null
  })
  if (!read.includes(null)) return read as Arrival[]
  const { parameterNames, oldLinkParameters, publicId } = await linkNames(db, accountId)
  const own = { ...toParameterNames(parameterNames, oldLinkParameters), publicId }
  return values.map(({ given, asksCode }, at) => read[at] ?? referralIn(given, own, asksCode))
}

/** Reads one value. */
export const readReferral = async (db: Queryable, accountId: string, given: string, asksCode = false) =>
  (await readReferrals(db, accountId, [{ given, asksCode }]))[0]!

/** A click and a code as given; either may be any text that the reader takes. */
export type GivenReferral = { clickId?: string | null | undefined; referralCode?: string | null | undefined }

/**
 * Reads both fields of a submission; returns the click id and the code to look up. A value that names nothing known is
 * returned as it is, so that it is refused or ignored as such.
 */
export async function readNaming(
  db: Queryable,
  accountId: string,
  { clickId, referralCode }: GivenReferral,
  at: Date,
): Promise<GivenReferral> {
  const byClick = await read(db, accountId, { given: clickId, field: 'clickId', at })
  const byCode = await read(db, accountId, { given: referralCode, field: 'referralCode', at })
  return {
    clickId: byClick.clickId ?? byCode.clickId,
    referralCode: byCode.referralCode ?? byClick.referralCode,
  }
}

type Field = { given: string | null | undefined; field: 'clickId' | 'referralCode'; at: Date }

async function read(db: Queryable, accountId: string, { given, field, at }: Field): Promise<GivenReferral> {
  if (!given) return {}
  const { click, codes } = await readReferral(db, accountId, given, field === 'referralCode')
  const known = click ? await resolveClick(db, accountId, click, at) : undefined
  // the code of a link or a cookie counts only as long as its click
  if (known && !known.withinWindow) return { clickId: click }
  const isPlain = field === 'referralCode' && codes[0] === given && codes.length === 1
  const code = isPlain ? given : (await ownersOfCodes(db, accountId, codes))[0]?.given
  if (!known && !code) return { [field]: given }
  return { ...(known && { clickId: click }), ...(code && { referralCode: code }) }
}
