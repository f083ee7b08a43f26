import { listParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.server.ts'
import type { Asking } from '../program/questions/ask.ts'

/** Everything about which an account asks its partners. */
export const askings: readonly Asking[] = listParts(features, 'questions')
