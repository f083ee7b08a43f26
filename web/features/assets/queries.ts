import type { Opened, Reads } from '../../calls.ts'
import { allLinksQuery, assetsQuery } from '../../shared/assets.ts'
import { allGroupsQuery } from '../../shared/groups.ts'
import { isTeam } from '../../shared/roles.ts'

export const readsOfMaterial = ({ role }: Opened): Reads =>
  isTeam(role) ? [assetsQuery(role.accountId), allGroupsQuery(role.accountId), allLinksQuery(role.accountId)] : []
