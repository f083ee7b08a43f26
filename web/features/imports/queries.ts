import type { Opened, Reads } from '../../calls.ts'
import { importsQuery } from '../../shared/imports.ts'
import { isTeam } from '../../shared/roles.ts'

export const earlierImports = (accountId: string) => importsQuery(accountId, { limit: 25 })

export const readsOfImports = ({ role }: Opened): Reads => (isTeam(role) ? [earlierImports(role.accountId)] : [])
