import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LinkBlueprint } from '#contract/links.ts'
import { linkBlueprintQuery } from '../../shared/queries.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { linkWords } from '../../words/links.ts'
import { pageWords } from '../../words/shell.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (link: LinkBlueprint) => ReactNode }

export const OneLink = ({ id, ...page }: Props) => (
  <ThingPage
    {...page}
    query={linkBlueprintQuery(id)}
    parent={<Link to="/links">{pageWords.links}</Link>}
    gone={linkWords.gone}
  />
)
