import { queryOptions } from '@tanstack/react-query'
import type { Block } from '../../build/help-pages.ts'
import type { HelpPage } from '../../shell/help-pages.ts'
import { withinTwoMinutes } from '../../ui/load-limit.ts'

const texts = import.meta.glob<Block[]>('./pages/*.md', { import: 'default' })

/** A page's text; it is bundled with the application, so it never goes stale. */
export const helpText = (page: HelpPage) =>
  queryOptions({
    queryKey: ['help', page],
    queryFn: () => withinTwoMinutes(texts[`./pages/${page}.md`]!()),
    staleTime: Number.POSITIVE_INFINITY,
  })

const abouts = import.meta.glob<string>('./pages/*.md', { import: 'default', query: '?about', eager: true })

/** Returns a page's one-sentence summary. */
export const helpSummary = (page: HelpPage) => abouts[`./pages/${page}.md`]
