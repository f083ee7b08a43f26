import type { Opened, Reads } from '../../calls.ts'
import { allLinks, assets } from '../../shared/assets.ts'
import { allGroups } from '../../shared/groups.ts'
import { isTeam } from '../../shared/roles.ts'

export const readsOfMaterial = ({ role }: Opened): Reads =>
  isTeam(role) ? [assets(role.accountId), allGroups(role.accountId), allLinks(role.accountId)] : []
