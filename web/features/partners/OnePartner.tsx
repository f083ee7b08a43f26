import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Partner } from '#contract/partners.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (partner: Partner) => ReactNode }

export const OnePartner = ({ id, ...page }: Props) => (
  <ThingPage
    {...page}
    query={partnerQuery(id)}
    parent={<Link to="/partners">{pageWords.partners}</Link>}
    gone={partnerWords.detail.gone}
  />
)
