import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { Terms } from './terms.ts'
import { CommissionSettings, Id, Instant, listOf, listQuery, optionalName, requiredText } from './values.ts'

/** Most groups of an account. */
export const MOST_GROUPS = 50

/**
 * Partners with the same terms. Every partner is in exactly one; `name` is for the owner, `publicName` for partners. The
 * default group has the ID of its account and the account's terms: `commissionSettings` are null and `rules` 0.
 */
export const Group = z
  .object({
    id: Id,
    accountId: Id,
    name: z.string(),
    publicName: z.string().nullable(),
    isDefault: z.boolean(),
    commissionSettings: CommissionSettings.nullable(),
    rules: z.int(),
    partners: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Group' })
export type Group = z.infer<typeof Group>

const names = { name: requiredText(60), publicName: optionalName(60).optional() }

/** `terms` are for all sales of the partners who will be in the group. */
export const NewGroup = z.strictObject({ ...names, terms: Terms.nullish() })
export type NewGroup = z.infer<typeof NewGroup>

export const GroupChange = z.strictObject(names).partial()
export type GroupChange = z.infer<typeof GroupChange>

export const listGroups = endpoint('listGroups', 'GET /accounts/:id/groups', {
  summary: 'List groups',
  allow: ['owner'],
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({}, ['name', 'partners']),
  reply: listOf(Group),
})

export const downloadGroups = csvOf(listGroups, { summary: 'Download all groups', file: 'groups' })

export const createGroup = endpoint('createGroup', 'POST /accounts/:id/groups', {
  summary: 'Create a group of partners',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'account',
  body: NewGroup,
  status: 201,
  reply: Group,
})

export const getGroup = endpoint('getGroup', 'GET /groups/:id', {
  summary: 'Retrieve a group',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'group',
  reply: Group,
})

export const changeGroup = endpoint('changeGroup', 'PUT /groups/:id', {
  summary: 'Rename a group',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'group',
  body: GroupChange,
  reply: Group,
})

export const deleteGroup = endpoint('deleteGroup', 'DELETE /groups/:id', {
  summary: 'Delete a group without partners; sales and customers keep its terms',
  allow: ['owner'],
  limit: apiLimit,
  subject: 'group',
  status: 204,
})
