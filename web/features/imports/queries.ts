import type { Opened, Reads } from '../../calls.ts'
import { importsOf } from '../../shared/imports.ts'
import { isTeam } from '../../shared/roles.ts'

export const earlierImports = (accountId: string) => importsOf(accountId, { limit: 25 })

export const readsOfImports = ({ role }: Opened): Reads => (isTeam(role) ? [earlierImports(role.accountId)] : [])
