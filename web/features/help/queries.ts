import { queryOptions } from '@tanstack/react-query'
import type { Block } from '../../build/help-pages.ts'
import type { HelpPage } from '../../shell/help-pages.ts'
import { withinTwoMinutes } from '../../within.ts'

const texts = import.meta.glob<Block[]>('./pages/*.md', { import: 'default' })

/** What a page says; it comes with the code of the application, and never changes in it. */
export const textOf = (page: HelpPage) =>
  queryOptions({
    queryKey: ['help', page],
    queryFn: () => withinTwoMinutes(texts[`./pages/${page}.md`]!()),
    staleTime: Number.POSITIVE_INFINITY,
  })

const abouts = import.meta.glob<string>('./pages/*.md', { import: 'default', query: '?about', eager: true })

/** What a page is about, in a sentence. */
export const aboutOf = (page: HelpPage) => abouts[`./pages/${page}.md`]
