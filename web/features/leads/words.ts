import { type LeadReason, type LeadSource, leadReasons } from '#contract/leads.ts'
import { leadWords } from '../../words/leads.ts'

/** 'Embed code', 'Added by hand'. */
export const sourceLabel = (source: LeadSource) => leadWords.sources[source]

/** Why a lead was lost, rejected or reopened: a predefined reason in words, or the free text as entered. */
export const reasonLabel = (reason: string) => (isReason(reason) ? leadWords.reasons[reason] : reason)

export const isReason = (reason: string | null): reason is LeadReason =>
  (leadReasons as readonly (string | null)[]).includes(reason)
