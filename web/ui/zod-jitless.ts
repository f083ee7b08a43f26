import { z } from 'zod'

// zod would try `new Function` at its first parse, which the content security policy reports and refuses.
z.config({ jitless: true })
