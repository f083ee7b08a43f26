import { defineSignal } from '../../platform/events/emit-event.ts'

/** An account asks a partner about a case. */
export const partnerAsked = defineSignal<{ caseId: string; partnerId: string }>('partner.asked')
