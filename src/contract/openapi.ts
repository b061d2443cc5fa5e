// The table → OpenAPI 3.1.
export const openApi = (basePath: string): object => ({ openapi: "3.1.0", servers: [{ url: basePath }] });
