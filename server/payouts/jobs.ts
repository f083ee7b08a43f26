import type { JobData } from '../jobs/queue.ts'
import type { Services } from '../services.ts'

export async function payOut(_services: Services, _data: JobData['pay-out']): Promise<void> {}
