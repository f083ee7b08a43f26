import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { listQuery } from '../calls.ts'
import { type FilteredBy, type FilterName, type SearchParams, type TableDefinition, tableQuery } from './table-state.ts'

type Schema = z.ZodType

/** Milliseconds after which a shown page is read again; never by default. */
type Again<Page> = number | ((page: Page | undefined) => number | false | undefined)

type Declared<L, F, Page> = Omit<TableDefinition<L>, 'list' | 'filters'> & {
  filters?: readonly F[]
  again?: Again<Page>
}

/** The list of one account, partner or thing; `L` is its query with the filters it shows, `Search` with all. */
export type List<L, Page, Search = L> = {
  table: TableDefinition<L>
  params: Record<string, string> | undefined
  /** Any page of it. */
  page: (search: Search) => UseQueryOptions<Page, Error, Page, QueryKey>
  /** The page that its table shows at an address, for loaders. */
  at: (search: SearchParams) => UseQueryOptions<Page, Error, Page, QueryKey>
}

/**
 * Declares a list by its call and its key in the user's preferences: `defineList(listLeads, 'leads', { filters: ['status'] })`
 * returns the list with the given parameters of the call, for `useList`.
 */
export const defineList =
  <
    P extends Schema,
    Q extends Schema,
    B extends Schema,
    R extends Schema,
    const F extends FilterName<z.input<Q>> = never,
  >(
    endpoint: Endpoint<P, Q, B, R>,
    list: string,
    { again, ...declared }: Declared<z.input<Q>, F, z.output<R>> = {},
  ) =>
  (params: z.input<P>): List<FilteredBy<z.input<Q>, F>, z.output<R>, z.input<Q>> => {
    const table = { list, ...declared } as unknown as TableDefinition<FilteredBy<z.input<Q>, F>>
    const page = (search: z.input<Q>) => ({
      ...listQuery(endpoint, { params, search }),
      refetchInterval: ({ state }: { state: { data?: z.output<R> | undefined } }) =>
        (typeof again === 'function' ? again(state.data) : again) ?? false,
    })
    return {
      table,
      params: params as Record<string, string> | undefined,
      page,
      at: (search) => page(tableQuery(search, table) as z.input<Q>),
    }
  }
