import type { Opened, Reads } from '#web/calls.ts'
import { allLinksQuery, assetsQuery } from '#web/shared/assets.ts'
import { allGroupsQuery } from '#web/shared/groups.ts'
import { isTeam } from '#web/shared/roles.ts'

export const readsOfMaterial = ({ role }: Opened): Reads =>
  isTeam(role) ? [assetsQuery(role.accountId), allGroupsQuery(role.accountId), allLinksQuery(role.accountId)] : []
