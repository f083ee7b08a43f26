import type { HostState } from '#contract/hosts.ts'
import { Badge } from '../ui/Badge.tsx'
import { hostWords } from '../words/material.ts'

const tones = { unproven: 'waits', proven: 'moves', ready: 'done', attention: 'needs' } as const

/** The state of an account's own domain. */
export const HostBadge = ({ state }: { state: HostState }) => (
  <Badge tone={tones[state]}>{hostWords.badges[state]}</Badge>
)
