import { z } from 'zod'
import { csvEndpoint, csvLimit } from './csv.ts'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import { anyOf, DateOnly, Id, Instant, listQuery, pageSchema } from './values.ts'

export const erasedTypes = ['lead', 'partner'] as const
export type ErasedType = (typeof erasedTypes)[number]

const Counts = z.record(z.string(), z.int())

/**
 * A person whose personal data was emptied; rows, ids and figures stay. `by` is a name, else an e-mail, and null if the
 * account's retention erased them. `counts` are the rows emptied so far, by table; of several people whom retention
 * erases at once, their leads alone. Records of payments stay until the end of `recordsUntil`, which follows the
 * account's `payeeYears` while there are any; backups keep what they hold until that of `backupsUntil`. `done` once
 * nothing is left.
 */
export const Erasure = z
  .object({
    id: Id,
    at: Instant,
    by: z.string().nullable(),
    subject: z.object({ type: z.enum(erasedTypes), id: Id }),
    reason: z.enum(['asked', 'retention']),
    counts: Counts,
    recordsUntil: DateOnly.nullable(),
    backupsUntil: DateOnly.nullable(),
    done: z.boolean(),
  })
  .meta({ id: 'Erasure' })
export type Erasure = z.infer<typeof Erasure>

/**
 * An erasure before it is requested: the objects it would empty, and others that show the same e-mail and would stay.
 * `blockers` are sentences with the reasons why it would be refused.
 */
export const ErasurePreview = z
  .object({
    subjects: z.array(z.object({ type: z.enum(erasedTypes), id: Id, displayName: z.string() })),
    ...bothFields(
      'unaffected',
      z.array(z.object({ type: z.enum(['partner', 'user']), id: Id, displayName: z.string() })),
    ),
    counts: Counts,
    recordsUntil: DateOnly.nullable(),
    backupsUntil: DateOnly.nullable(),
    blockers: z.array(z.string()),
  })
  .meta({ id: 'ErasurePreview' })
export type ErasurePreview = z.infer<typeof ErasurePreview>

const EraseBody = z.strictObject({ preview: z.literal(true).optional() })

export const eraseLead = endpoint('eraseLead', 'POST /leads/:id/erase', {
  tag: 'leads',
  summary: 'Erase a lead’s person everywhere, or preview it; the figures stay, and it can’t be undone',
  allow: rights.own,
  limit: apiLimit,
  subject: 'lead',
  body: EraseBody,
  status: 202,
  orStatus: 200,
  reply: z.union([ErasurePreview, Erasure]),
})

export const erasePartner = endpoint('erasePartner', 'POST /partners/:id/erase', {
  tag: 'partners',
  summary: 'Erase an archived, settled partner’s person everywhere, or preview it; it can’t be undone',
  allow: rights.own,
  limit: apiLimit,
  subject: 'partner',
  body: EraseBody,
  status: 202,
  orStatus: 200,
  reply: z.union([ErasurePreview, Erasure]),
})

/** Rows by table, in the fields of this interface. */
const PersonalData = z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({ id: 'PersonalData' })

export const exportLeadData = endpoint('exportLeadData', 'GET /leads/:id/person', {
  tag: 'leads',
  summary: 'Download everything stored about a lead’s person, internal notes included: read it before you pass it on',
  allow: rights.own,
  freshProof: true,
  inPerson: true,
  limit: csvLimit,
  subject: 'lead',
  reply: PersonalData,
})

export const exportPartnerData = endpoint('exportPartnerData', 'GET /partners/:id/person', {
  tag: 'partners',
  summary:
    'Download everything stored about a partner’s person, internal notes included: read it before you pass it on',
  allow: rights.own,
  freshProof: true,
  inPerson: true,
  limit: csvLimit,
  subject: 'partner',
  reply: PersonalData,
})

export const listErasures = endpoint('listErasures', 'GET /accounts/:id/erasures', {
  tag: 'accounts',
  summary: 'List the erased people of the account, by their ids',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ type: anyOf(erasedTypes) }),
  reply: pageSchema(Erasure),
})

export const downloadErasures = csvEndpoint(listErasures, {
  summary: 'Download the erased people of the account, by their ids',
  file: 'erasures',
  fields: ['id', 'at', 'by', 'subjectType', 'subjectId', 'reason', 'recordsUntil', 'backupsUntil', 'done'],
})
