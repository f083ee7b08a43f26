import type { Opened, Reads } from '../../calls.ts'
import { assets } from '../../shared/assets.ts'
import { isTeam } from '../../shared/roles.ts'

export const readsOfAccountAssets = ({ role }: Opened): Reads => (isTeam(role) ? [assets(role.accountId)] : [])
