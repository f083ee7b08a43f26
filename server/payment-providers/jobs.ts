import type { JobData } from '../jobs/queue.ts'
import type { Services } from '../services.ts'

export async function processProviderEvent(_services: Services, _data: JobData['provider-event']): Promise<void> {}
