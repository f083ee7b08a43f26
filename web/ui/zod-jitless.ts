import { z } from 'zod'

// zod would try `new Function` at its first parse, which the content security policy blocks and reports.
z.config({ jitless: true })
