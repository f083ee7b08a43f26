process.env.RUNS ??= '12'
await import('./portal-lives.test.ts')
