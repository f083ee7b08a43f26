import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { outgoingWebhookQuery } from './queries.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (hook: OutgoingWebhook) => ReactNode }

export const OneOutgoingWebhook = ({ id, ...page }: Props) => (
  <ThingPage {...page} query={outgoingWebhookQuery(id)} parent={toOutgoingWebhooks} gone={outgoingWebhookWords.gone} />
)

export const toOutgoingWebhooks = <Link to="/integrations/outgoing-webhooks">{pageWords.outgoingWebhooks}</Link>
