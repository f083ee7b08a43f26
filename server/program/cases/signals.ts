import { signal } from '../../platform/events/happened.ts'

/** An account asks a partner about a case. */
export const partnerAsked = signal<{ caseId: string; partnerId: string }>('partner.asked')
