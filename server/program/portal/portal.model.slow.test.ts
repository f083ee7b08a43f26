process.env.RUNS ??= '12'
await import('./portal.model.test.ts')
