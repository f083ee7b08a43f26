import { z } from 'zod'
import { listParts } from '#contract/merge-parts.ts'
import {
  EarlierCode,
  EarlierCodes,
  NewPartner,
  ownersTexts,
  ownMethods,
  PartnerExternalId,
  partnerTexts,
  ReferralCode,
} from '#contract/partners.ts'
import { Email, orEmpty, plainText } from '#contract/values.ts'
import * as features from '#features/index.server.ts'
import { parseValue } from '../../../platform/http/parse.ts'
import { wrongField } from '../../../platform/refusal.ts'
import type { Access } from '../../../program/access/access.ts'
import { findPartnerByEmail } from '../../../program/partner-directory/find-partner.ts'
import { changePartner } from '../../../program/partners/change-partner.ts'
import { createPartner } from '../../../program/partners/create-partner.ts'
import { deletePartner } from '../../../program/partners/delete-partner.ts'
import { groupNamed } from '../../../program/terms/moves.ts'
import { codeIn } from '../code-in.ts'
import {
  eachByItself,
  type FileKind,
  type ImportContext,
  ifGone,
  type RowOutcome,
  rowsRolledBack,
  toFieldTypes,
} from './kind.ts'

/** Splits several earlier codes, which may contain spaces; of a link it is the code in it. */
const earlierIn = (cell: string) => cell.split(/[,;|]/).flatMap((code) => codeIn(code.trim()) || [])

/** Splits several codes in one cell, separated by commas or spaces. */
const codesOf = (cell = '') => [...new Set(cell.split(/[\s,;|]+/).filter(Boolean))]

const Row = z.strictObject({
  ...partnerTexts,
  ...NewPartner.pick({ email: true }).shape,
  referralCode: orEmpty(EarlierCode).optional(),
  earlierCodes: plainText(1000).transform(earlierIn).pipe(EarlierCodes).optional(),
  parentEmail: orEmpty(Email).optional(),
  promotionCode: plainText(1000)
    .refine((cell) => codesOf(cell).every((code) => code.length <= 100), 'Use at most 100 characters for a code')
    .optional(),
  group: plainText(60).optional(),
  ...ownersTexts,
  externalId: orEmpty(PartnerExternalId).optional(),
  payoutMethod: plainText(20)
    .toLowerCase()
    .pipe(z.enum(ownMethods, `Use ${ownMethods.join(', ')}`))
    .optional(),
  state: plainText(100).optional(),
})
type Row = z.output<typeof Row>

/** The rows of a file so far, by what belongs to a single partner: email, codes and ID. */
type Rows = Map<string, InFile[]>
type InFile = Row & { number: number; inFile: Rows }

/** Words of other programs for an active or future partner; any other status prevents earning. */
const takingPart = [
  ...['active', 'approved', 'accepted', 'enabled', 'confirmed', 'invited', 'pending', 'new', 'live', 'ok', 'a', 'p'],
]
const isOut = ({ state }: Row) => Boolean(state) && !takingPart.includes(state!.toLowerCase())

/** Partners; invited if the owner chooses so. */
export const partners: FileKind<InFile> = {
  batch: 100,
  check: (values) => ({ ...parseValue(Row, toFieldTypes(values), 'body'), number: 0, inFile: new Map() }),
  keyOf: ({ email }) => email,
  inFile() {
    const rows: Rows = new Map()
    return (given, number) => {
      const row = { ...given, number, inFile: rows }
      for (const name of namesOf(row)) {
        const namesakes = rows.get(name) ?? []
        if (namesakes.length < MOST_NAMESAKES) namesakes.push(row)
        rows.set(name, namesakes)
      }
      return row
    }
  },
  after: ({ parentEmail }) => parentEmail ?? null,
  async apply(importing, rows) {
    if (importing.dryRun) await repeatEarlier(importing, rows)
    return eachByItself(importing.tx, rows, (row) => created(importing, row))
  },
  async undo({ tx, by, account }, made) {
    for (const { id } of made) await deletePartner(tx, by, account, id).catch(ifGone)
  },
}

/** A code that can't be a partner's own here becomes an earlier one; the partner gets another. */
const withCodes = ({ referralCode, earlierCodes = [], ...row }: Row) =>
  !referralCode || ReferralCode.safeParse(referralCode).success
    ? { ...row, referralCode, earlierCodes }
    : { ...row, referralCode: null, earlierCodes: [...new Set([referralCode, ...earlierCodes])] }

async function created(importing: ImportContext, { inFile: _, number: __, ...row }: InFile): Promise<RowOutcome> {
  const { tx, account, install, by, sendInvitations: sendInvitation } = importing
  if (await findPartnerByEmail(tx, account.id, row.email))
    return { outcome: 'skipped', message: 'A partner with this email already exists.' }
  const access = asOwner(importing)
  const { parentEmail, state, promotionCode, group, payoutMethod, ...given } = withCodes(row)
  const parent = parentEmail ? await findPartnerByEmail(tx, account.id, parentEmail) : undefined
  if (parentEmail && !parent) throw wrongField('parentEmail', 'unknown_partner_email')
  const place = {
    parentPartnerId: parent?.id ?? null,
    groupId: group ? await groupNamed(tx, account.id, group) : null,
  }
  const { id } = await createPartner(tx, install, by, access, { ...given, ...place, sendInvitation })
  const extras = { promotionCodes: codesOf(promotionCode) }
  for (const add of listParts(features, 'importedPartners')) await add(importing, id, extras)
  if (payoutMethod) await changePartner(tx, install, by, { ...access, subjectId: id }, { payoutMethod })
  if (isOut(row)) {
    const reason = `Imported as “${state}”`
    await changePartner(tx, install, by, { ...access, subjectId: id }, { state: 'suspended', reason })
  }
  return { outcome: 'created', made: [{ type: 'partner', id }] }
}

/** Creates once more the partners on whom these rows depend, and whom a dry run has rolled back: parents and namesakes. */
async function repeatEarlier(importing: ImportContext, rows: InFile[]) {
  const parentsOf = ({ parentEmail, inFile }: InFile) => (parentEmail && inFile.get(byEmail(parentEmail))) || []
  const needed = new Set(rows.flatMap((row) => namesOf(row).flatMap((name) => row.inFile.get(name) ?? [])))
  for (const row of needed) for (const parent of parentsOf(row)) needed.add(parent)
  const tried = new Set(await rowsRolledBack(importing, [...needed]))
  const repeat = async (row: InFile) => {
    if (!tried.delete(row)) return
    for (const parent of parentsOf(row)) await repeat(parent)
    await eachByItself(importing.tx, [row], (one) => created(importing, one))
  }
  for (const row of needed) await repeat(row)
}

/** Rows with an equal code that a dry run tries: all but one are refused. */
const MOST_NAMESAKES = 10

const byEmail = (email: string) => `email ${email}`
const namesOf = ({ email, externalId, ...row }: Row) => {
  const { referralCode, earlierCodes } = withCodes({ ...row, email })
  const codes = [...(referralCode ? [referralCode] : []), ...earlierCodes]
  return [
    byEmail(email),
    ...(externalId ? [`id ${externalId}`] : []),
    ...codes.map((code) => `code ${code.toLowerCase()}`),
    ...codesOf(row.promotionCode).map((code) => `promotion ${code.toLowerCase()}`),
  ]
}

const asOwner = ({ account }: ImportContext): Access => ({
  account,
  as: 'owner',
  subjectId: account.id,
  partnerId: null,
})
