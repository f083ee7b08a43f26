import { z } from 'zod'
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
import { Email, orEmpty, text } from '#contract/values.ts'
import { parse } from '../../../platform/http/parse.ts'
import { wrongField } from '../../../platform/refusal.ts'
import type { Access } from '../../../program/access/access.ts'
import { findPartnerByEmail } from '../../../program/partner-lookup/find-partner.ts'
import { changePartner } from '../../../program/partners/change-partner.ts'
import { createPartner } from '../../../program/partners/create-partner.ts'
import { deletePartner } from '../../../program/partners/delete-partner.ts'
import { addPromotionCode } from '../../../program/partners/promotion-codes.ts'
import { groupNamed } from '../../../program/terms/moves.ts'
import { codeIn } from '../code-in.ts'
import { isRowCreated } from '../queries.ts'
import { eachByItself, type FileKind, type Importing, ifGone, sameAs, typed } from './kind.ts'

/** Splits several earlier codes, which may contain spaces; of a link it is the code in it. */
const earlierIn = (cell: string) => cell.split(/[,;|]/).flatMap((code) => codeIn(code.trim()) || [])

/** Splits several codes in one cell, separated by commas or spaces. */
const codesOf = (cell = '') => [...new Set(cell.split(/[\s,;|]+/).filter(Boolean))]

const Row = z.strictObject({
  ...partnerTexts,
  ...NewPartner.pick({ email: true }).shape,
  referralCode: orEmpty(EarlierCode).optional(),
  earlierCodes: text(1000).transform(earlierIn).pipe(EarlierCodes).optional(),
  parentEmail: orEmpty(Email).optional(),
  promotionCode: text(1000)
    .refine((cell) => codesOf(cell).every((code) => code.length <= 100), 'Use at most 100 characters for a code')
    .optional(),
  group: text(60).optional(),
  ...ownersTexts,
  externalId: orEmpty(PartnerExternalId).optional(),
  payoutMethod: text(20)
    .toLowerCase()
    .pipe(z.enum(ownMethods, `Use ${ownMethods.join(', ')}`))
    .optional(),
  state: text(100).optional(),
})
type Row = z.output<typeof Row>

/** `inFile`: the rows of the file by their emails. */
type InFile = Row & { inFile: Map<string, number> }

/** Words of other programs for an active or future partner; any other status prevents earning. */
const takingPart = [
  ...['active', 'approved', 'accepted', 'enabled', 'confirmed', 'invited', 'pending', 'new', 'live', 'ok', 'a', 'p'],
]
const isOut = ({ state }: Row) => Boolean(state) && !takingPart.includes(state!.toLowerCase())

/** Partners; invited if the owner chooses so. */
export const partners: FileKind<InFile> = {
  batch: 100,
  check: (values) => ({ ...parse(Row, typed(values), 'body'), inFile: new Map() }),
  keyOf: ({ email }) => email,
  inFile() {
    const rows: InFile['inFile'] = new Map()
    return (given, row) => {
      const same = rows.get(given.email)
      if (same !== undefined) return sameAs(same)
      rows.set(given.email, row)
      return { ...given, inFile: rows }
    }
  },
  after: ({ parentEmail }) => parentEmail ?? null,
  apply: (importing, rows) =>
    eachByItself(importing.tx, rows, async ({ inFile, ...row }) => {
      const { tx, account, install, by, sendInvitations: sendInvitation } = importing
      if (await findPartnerByEmail(tx, account.id, row.email))
        return { outcome: 'skipped', message: 'A partner with this email already exists.' }
      const access = asOwner(importing)
      const { parentEmail, state, promotionCode, group, payoutMethod, ...given } = withCodes(row)
      const parent = parentEmail ? await findPartnerByEmail(tx, account.id, parentEmail) : undefined
      if (parentEmail && !parent && !(await wasTried(importing, inFile.get(parentEmail))))
        throw wrongField('parentEmail', 'unknown_partner_email')
      const place = {
        parentPartnerId: parent?.id ?? null,
        groupId: group ? await groupNamed(tx, account.id, group) : null,
      }
      const { id } = await createPartner(tx, install, by, access, { ...given, ...place, sendInvitation })
      for (const code of codesOf(promotionCode)) await addPromotionCode(tx, by, account, id, { code })
      if (payoutMethod) await changePartner(tx, install, by, { ...access, subjectId: id }, { payoutMethod })
      if (isOut(row)) {
        const reason = `Imported as “${state}”`
        await changePartner(tx, install, by, { ...access, subjectId: id }, { state: 'suspended', reason })
      }
      return { outcome: 'created', made: [{ type: 'partner', id }] }
    }),
  async undo({ tx, by, account }, made) {
    for (const { id } of made) await deletePartner(tx, by, account, id).catch(ifGone)
  },
}

/** A code that can't be a partner's own here becomes an earlier one; the partner gets another. */
const withCodes = ({ referralCode, earlierCodes = [], ...row }: Row) =>
  !referralCode || ReferralCode.safeParse(referralCode).success
    ? { ...row, referralCode, earlierCodes }
    : { ...row, referralCode: null, earlierCodes: [...new Set([referralCode, ...earlierCodes])] }

/** Whether a dry run has imported this row, and rolled it back, in an earlier part of the file. */
const wasTried = async ({ tx, account, importId, dryRun }: Importing, row: number | undefined) =>
  dryRun && row !== undefined && (await isRowCreated(tx, { id: importId, accountId: account.id }, row))

const asOwner = ({ account }: Importing): Access => ({ account, as: 'owner', subjectId: account.id, partnerId: null })
