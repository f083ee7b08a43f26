import { anEmail, expectOk } from './app.ts'
import { acceptMailedInvitation, aJoinedOwner, site } from './mailed-site.ts'

/** An owner with two partners in the group Gold, one outside it, and one in it who has not joined yet. */
export async function aProgram() {
  const owner = await aJoinedOwner('Harbor')
  const { id, token } = owner
  const call = async (path: string, body: object) => expectOk(await site.api('POST', path, { token, body })).body
  const { id: groupId } = await call(`/accounts/${id}/groups`, { name: 'Gold' })
  const partners = []
  for (const [firstName, group] of [
    ['Pia', groupId],
    ['Quinn', groupId],
    ['Rob', null],
  ]) {
    const email = anEmail(String(firstName).toLowerCase())
    const names = { firstName, lastName: 'Tern', ...(group && { groupId: group }) }
    const partner = await call(`/accounts/${id}/partners`, { email, ...names })
    partners.push({ ...partner, ...(await acceptMailedInvitation(email)) })
  }
  await call(`/accounts/${id}/partners`, { email: anEmail('invited'), firstName: 'Invited', groupId })
  const { key } = await call(`/accounts/${id}/api-keys`, { name: 'App', rights: ['partners'] })
  return { owner, partners, groupId, key }
}
