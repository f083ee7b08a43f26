import { type ListedPromotionCode, listAllPromotionCodes } from '#contract/partners.ts'
import { listQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Codes = SearchOf<typeof listAllPromotionCodes>
export const codeTable = tableOf<Codes>()({ list: 'promotion-codes', filters: ['partnerId', 'source', 'state'] })

/** Poll interval while a code is being made. */
const AGAIN_MS = 5000

/** The promotion codes of all partners. */
export const allPromotionCodes = (accountId: string, search: Codes) => ({
  ...listQuery(listAllPromotionCodes, { params: { id: accountId }, search }),
  refetchInterval: ({ state: { data } }: { state: { data?: { items: ListedPromotionCode[] } } }) =>
    data?.items.some(({ state }) => state === 'waiting') ? AGAIN_MS : (false as const),
})

export const readsOfPromotionCodes = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [allPromotionCodes(role.accountId, tableQuery(search, codeTable))] : []
