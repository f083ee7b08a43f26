import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import { pageWords } from '../../words/shell.ts'
import { sampledWebhook } from './queries.ts'

type Props = { id: string; heading: string; shape: 'form' | 'detail'; children: (hook: IncomingWebhook) => ReactNode }

export const OneIncomingWebhook = ({ id, ...page }: Props) => (
  <ThingPage {...page} query={sampledWebhook(id)} parent={toIncomingWebhooks} gone={incomingWebhookWords.gone} />
)

export const toIncomingWebhooks = <Link to="/integrations/incoming-webhooks">{pageWords.incomingWebhooks}</Link>
