// Made from docs/openapi.json by `npm run openapi`; not edited by hand.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List animals
         * @description Returns a paginated list of animals, newest first. While older ones follow, the response carries a `Link` header with `rel="next"`. With `ids` it returns these animals, all at once. The parameters behind `include` search: an animal is found when all of them are true of it; what is not known of an animal finds it by no value. Texts are compared in any case and whole.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description Adds an animal. Without a `status` it is `available`. With an `Idempotency-Key` the request may be sent again without harm: it is carried out once, and the first response is returned again for 24 hours.
         *
         *     Needs the scope `pets:write`.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an animal (deprecated, until 5 December 2030)
         * @deprecated
         * @description **Deprecated; to be removed on 5 December 2030.** Use `GET /pets` with a `status` filter instead.
         *
         *     Returns details of a single animal.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        /**
         * Remove an animal
         * @description Removes an animal for ever; its id is never given to another one.
         *
         *     Needs the scope `pets:write`.
         */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        /**
         * Change an animal
         * @description Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error. The status changes from `available` to `pending` or `sold`, from `pending` to `available` or `sold`, and from `sold` to `available`.
         *
         *     Needs the scope `pets:write`.
         */
        patch: operations["updatePet"];
        trace?: never;
    };
    "/pets/{petId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile of an animal
         * @description Returns what adopters look at; `{}` for an animal that has not been described.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["getPetProfile"];
        /**
         * Replace the profile of an animal
         * @description Replaces the whole profile; members that the body does not have are gone, and `{}` empties it. The same profile again changes nothing. The tag of a profile and that of its animal are independent.
         *
         *     Needs the scope `pets:write`.
         */
        put: operations["replacePetProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description Returns a paginated list of categories, the greatest id first. While others follow, the response carries a `Link` header with `rel="next"`.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["listCategories"];
        put?: never;
        /**
         * Add a category
         * @description Adds a category under an id that neither a category nor an animal has. To name an id that animals already have, use `PUT`. With an `Idempotency-Key` the request may be sent again without harm.
         *
         *     Needs the scope `categories:write`.
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a category
         * @description Returns a single category.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["getCategory"];
        /**
         * Add a category under an id, or rename it
         * @description Adds a category under this id, whether animals already have it or not, or renames the one that exists. With `If-None-Match: *` it only adds. To send the same name again changes nothing.
         *
         *     Needs the scope `categories:write`.
         */
        put: operations["putCategory"];
        post?: never;
        /**
         * Remove a category
         * @description Removes a category that no animal has.
         *
         *     Needs the scope `categories:write`.
         */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns a paginated list of orders, newest first: those that were placed with the same key, or those of all keys with the scope `orders:manage`. While older ones follow, the response carries a `Link` header with `rel="next"`.
         *
         *     Needs the scope `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Applies for an available animal and reserves it at once: its status becomes `pending`. Of several requests for one animal exactly one succeeds. The order expires at `expiresAt` unless it is approved. With an `Idempotency-Key` the request may be sent again without harm.
         *
         *     Needs the scope `orders:write`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Returns a single order. Without the scope `orders:manage` an order that was placed with another key is 404.
         *
         *     Needs the scope `orders:read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Takes an order from `placed` or `approved` to `cancelled`. The animal becomes `available`. To repeat the request is safe: an order that is `cancelled` already is returned as it is.
         *
         *     Needs the scope `orders:write`.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an order
         * @description Takes an order from `placed` to `approved`. To repeat the request is safe: an order that is `approved` already is returned as it is.
         *
         *     Needs the scope `orders:manage`.
         */
        post: operations["approveOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand the animal over
         * @description Takes an order from `approved` to `delivered`. The animal becomes `sold`. To repeat the request is safe: an order that is `delivered` already is returned as it is.
         *
         *     Needs the scope `orders:manage`.
         */
        post: operations["deliverOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an order
         * @description Takes an order from `placed` or `approved` to `declined`. The animal becomes `available`. To repeat the request is safe: an order that is `declined` already is returned as it is.
         *
         *     Needs the scope `orders:manage`.
         */
        post: operations["declineOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the animal back
         * @description Takes an order from `delivered` to `returned`. The animal becomes `available`. To repeat the request is safe: an order that is `returned` already is returned as it is.
         *
         *     Needs the scope `orders:manage`.
         */
        post: operations["returnOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count animals
         * @description Returns how many animals there are of each status, of all categories or of one. The numbers are normally less than a second old.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["getInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the feed of changes
         * @description Returns events, oldest first. Events about orders need the scope `orders:read`, and are those of orders that were placed with the same key, or of all with `orders:manage`. Every response carries a `Link` header with `rel="next"`, also an empty one: follow it, after a pause if there were fewer events than `limit`. Whoever has read up to a position has missed nothing before it.
         *
         *     Needs the scope `pets:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how the key is used
         * @description Returns the plan, the scopes and the end of the key that the request comes with, and its requests of the last 30 days, at most five seconds behind. What is left of the limits at this moment stands in the header fields of the response.
         *
         *     Needs no scope: any secret key may.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks of the key, newest first; there are never more than 10.
         *
         *     Needs the scope `webhooks:manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description Adds an endpoint that events are delivered to from now on. The response has the secret that they are signed with, which is shown only once. To send the request again is safe: the second one is 409 `webhook_url_taken`; if the secret was lost with the first response, rotate it.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a single webhook. A webhook of another key is 404.
         *
         *     Needs the scope `webhooks:manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description Removes a webhook with its secrets and deliveries; an attempt under way is not called back.
         *
         *     Needs the scope `webhooks:manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes those members that the body has, all of them or none (JSON Merge Patch, RFC 7396). A patch that changes nothing is no error.
         *
         *     Needs the scope `webhooks:manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description Deliveries are signed with a new secret from now on, and during the overlap with the one before, too. The one before that ends at once: do not send this request again unless the new secret was lost.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Delivers an event of the type `webhook.test` to this webhook alone, also while it is disabled: one attempt, which counts towards nothing.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns a paginated list of deliveries to a webhook, newest first. They are kept as long as events. While older ones follow, the response carries a `Link` header with `rel="next"`.
         *
         *     Needs the scope `webhooks:manage`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Makes a delivery due now, whatever has become of it, with all attempts before it. A test is not delivered again.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver what was missed
         * @description Makes failed deliveries of events behind a position due again, and queues those events that never were, as while the webhook was disabled; the oldest first, at most 10,000. To send the request again is safe: what is due is not queued twice.
         *
         *     Needs the scope `webhooks:manage`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Availability status.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /** @description An animal available for adoption. */
        Pet: {
            /**
             * Format: int64
             * @description Unique identifier, assigned by the service on creation. A later animal has a greater one.
             * @example 42
             */
            id: bigint;
            /**
             * @description The animal's name: 1 to 255 Unicode characters, not only white space, no control characters.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Id of the category the animal belongs to.
             * @example 7
             */
            categoryId: bigint;
            /**
             * @description Availability status; always present in responses.
             * @example available
             */
            status?: components["schemas"]["PetStatus"];
        };
        /** @description What every error of the service looks like. */
        Error: {
            /**
             * @description Machine-readable error code. New codes may be added.
             * @example pet_not_found
             */
            code: string;
            /**
             * @description Human-readable description. Its wording may change.
             * @example No animal has this id.
             */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status code.
             * @example 404
             */
            status: number;
        };
        /** @description An animal to be added. */
        NewPet: {
            /**
             * @description The animal's name: 1 to 255 Unicode characters, not only white space, no control characters.
             * @example Rex
             */
            name: string;
            /**
             * Format: int64
             * @description Id of the category the animal belongs to.
             * @example 7
             */
            categoryId: bigint;
            /**
             * @description Availability status. When it is left out, it is `available`.
             * @example available
             */
            status?: components["schemas"]["PetStatus"];
        };
        /** @description What is to change of an animal; the rest stays as it is. */
        PetPatch: {
            /**
             * @description The animal's name: 1 to 255 Unicode characters, not only white space, no control characters.
             * @example Rex
             */
            name?: string;
            /**
             * Format: int64
             * @description Id of the category the animal belongs to.
             * @example 7
             */
            categoryId?: bigint;
            /**
             * @description Availability status.
             * @example available
             */
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description What adopters look at. A member that is absent is unknown; none is ever `null`. A profile has at most 16 KiB as JSON.
         * @example {
         *       "species": "dog",
         *       "breeds": [
         *         "Labrador Retriever",
         *         "Poodle"
         *       ],
         *       "mixedBreed": true,
         *       "ageGroup": "young",
         *       "bornOn": "2024-02-29",
         *       "sex": "female",
         *       "size": "medium",
         *       "coat": "curly",
         *       "colors": [
         *         "black",
         *         "white"
         *       ],
         *       "description": "Loves water.\nNeeds a garden.",
         *       "goodWith": {
         *         "children": true,
         *         "cats": false
         *       },
         *       "spayedNeutered": true,
         *       "houseTrained": true,
         *       "vaccinated": true,
         *       "specialNeeds": true,
         *       "adoptionFee": {
         *         "amount": "120.00",
         *         "currency": "EUR"
         *       },
         *       "location": "Foster home in Leeds",
         *       "reference": "L-2026-117",
         *       "page": "https://shelter.example/animals/42",
         *       "photos": [
         *         {
         *           "url": "https://shelter.example/photos/42-1.jpg",
         *           "description": "On the sofa"
         *         }
         *       ]
         *     }
         */
        PetProfile: {
            /**
             * @description Kind of animal: `dog`, `cat`, `rabbit`, whatever the shelter has.
             * @example dog
             */
            species?: string;
            /**
             * @description The main breed first.
             * @example [
             *       "Labrador Retriever",
             *       "Poodle"
             *     ]
             */
            breeds?: string[];
            /**
             * @description Whether it is a mix of breeds.
             * @example true
             */
            mixedBreed?: boolean;
            /**
             * @description Does not follow from `bornOn`; prefer that to show an age.
             * @example young
             * @enum {string}
             */
            ageGroup?: "baby" | "young" | "adult" | "senior";
            /**
             * Format: date
             * @description Day of birth, which may be a guess: from 1900-01-01 to tomorrow (UTC).
             * @example 2024-02-29
             */
            bornOn?: string;
            /**
             * @description Sex.
             * @example female
             * @enum {string}
             */
            sex?: "female" | "male";
            /**
             * @description Size, grown up.
             * @example medium
             * @enum {string}
             */
            size?: "small" | "medium" | "large" | "xlarge";
            /**
             * @description Coat.
             * @example curly
             * @enum {string}
             */
            coat?: "hairless" | "short" | "medium" | "long" | "wire" | "curly";
            /**
             * @description Colours, the main one first.
             * @example [
             *       "black",
             *       "white"
             *     ]
             */
            colors?: string[];
            /**
             * @description Plain text, never markup: escape it where it is shown. Lines end with a line feed. The whole profile has at most 16 KiB, so that not everything can be as long as it may be.
             * @example Loves water.
             *     Needs a garden.
             */
            description?: string;
            /**
             * @description Who it gets along with: at least one of them.
             * @example {
             *       "children": true,
             *       "cats": false
             *     }
             */
            goodWith?: {
                children?: boolean;
                dogs?: boolean;
                cats?: boolean;
            };
            /**
             * @description Whether it is spayed or neutered.
             * @example true
             */
            spayedNeutered?: boolean;
            /**
             * @description Whether it is house-trained.
             * @example true
             */
            houseTrained?: boolean;
            /**
             * @description Whether its vaccinations are up to date.
             * @example true
             */
            vaccinated?: boolean;
            /**
             * @description Whether it has special needs.
             * @example true
             */
            specialNeeds?: boolean;
            /**
             * @description What an adopter pays.
             * @example {
             *       "amount": "120.00",
             *       "currency": "EUR"
             *     }
             */
            adoptionFee?: {
                /** @description A decimal number, kept as it is sent; `0` is free of charge. */
                amount: string;
                /** @description Three capital letters, as in ISO 4217. */
                currency: string;
            };
            /**
             * @description Where it can be seen.
             * @example Foster home in Leeds
             */
            location?: string;
            /**
             * @description The number that the shelter gave it.
             * @example L-2026-117
             */
            reference?: string;
            /**
             * @description Its page at the shelter.
             * @example https://shelter.example/animals/42
             */
            page?: string;
            /**
             * @description The best first; their URLs are all different. The whole profile has at most 16 KiB, so that twenty of the longest URLs do not fit.
             * @example [
             *       {
             *         "url": "https://shelter.example/photos/42-1.jpg",
             *         "description": "On the sofa"
             *       }
             *     ]
             */
            photos?: {
                /** @description Where the photo is. The service never connects to it. */
                url: string;
                /** @description For people who do not see the photo. */
                description?: string;
            }[];
        };
        /** @description A name for a `categoryId` of animals. */
        Category: {
            /**
             * Format: int64
             * @description The `categoryId` of its animals.
             * @example 7
             */
            id: bigint;
            /**
             * @description 1 to 255 Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case, white space and invisible characters.
             * @example Dogs
             */
            name: string;
        };
        /** @description A category to be added, or the new name of one. */
        NewCategory: {
            /**
             * @description 1 to 255 Unicode characters, not only white space, no control characters. No two categories have the same name, apart from case, white space and invisible characters.
             * @example Dogs
             */
            name: string;
        };
        /**
         * @description State of an order: `placed` and `approved` reserve the animal until `expiresAt`, `delivered` is the adoption, all others are final.
         * @enum {string}
         */
        OrderStatus: "placed" | "approved" | "delivered" | "returned" | "cancelled" | "declined" | "expired";
        /** @description An application for one animal, which is reserved at once. */
        Order: {
            /**
             * Format: int64
             * @description Assigned by the service; a later order has a greater one.
             * @example 91
             */
            id: bigint;
            /**
             * Format: int64
             * @description Id of the animal.
             * @example 42
             */
            petId: bigint;
            /**
             * @description State of the order.
             * @example placed
             */
            status: components["schemas"]["OrderStatus"];
            /**
             * @description A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.
             * @example site-4711
             */
            reference?: string;
            /**
             * @description Why the order was cancelled, declined or returned, for people; absent if none was given.
             * @example The family has moved away.
             */
            reason?: string;
            /**
             * @description Id of the API key that placed the order.
             * @example key_Wz6Oq1rXc8TqLd0A
             */
            placedBy: string;
            /**
             * Format: date-time
             * @description When it was placed, in UTC.
             * @example 2026-11-21T19:12:07.123Z
             */
            placedAt: string;
            /**
             * Format: date-time
             * @description When its state changed last, in UTC.
             * @example 2026-11-21T19:12:07.123Z
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the reservation ends, in UTC; present while the order is `placed` or `approved`.
             * @example 2026-11-24T19:12:07.123Z
             */
            expiresAt?: string;
        };
        /** @description An application for one animal. */
        NewOrder: {
            /**
             * Format: int64
             * @description Id of the animal.
             * @example 42
             */
            petId: bigint;
            /**
             * @description A text of the client, such as the number of the application in its own system; never interpreted. Put no personal data here.
             * @example site-4711
             */
            reference?: string;
        };
        /** @description Why an order ends, for people. */
        OrderReason: {
            /**
             * @description Why the order was cancelled, declined or returned, for people; absent if none was given.
             * @example The family has moved away.
             */
            reason?: string;
        };
        /**
         * @description Whether events are delivered.
         * @enum {string}
         */
        WebhookStatus: "enabled" | "disabled";
        /** @description An endpoint of the key that events are delivered to. */
        Webhook: {
            /**
             * Format: int64
             * @description Assigned by the service; a later webhook has a greater one.
             * @example 3
             */
            id: bigint;
            /**
             * Format: uri
             * @description Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).
             * @example https://shop.example/petstore
             */
            url: string;
            /**
             * @description Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.
             * @example [
             *       "pet.updated",
             *       "order.*"
             *     ]
             */
            types?: string[];
            /**
             * @description For people.
             * @example The web shop.
             */
            description?: string;
            /**
             * @description Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.
             * @example enabled
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.
             * @example failing
             */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when every attempt has failed, in UTC; absent when the last one has not.
             * @example 2026-11-21T19:12:07.123Z
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description When it was added, in UTC.
             * @example 2026-11-21T19:12:07.123Z
             */
            createdAt: string;
        };
        /** @description A webhook with a new secret. */
        WebhookWithSecret: {
            /**
             * Format: int64
             * @description Assigned by the service; a later webhook has a greater one.
             * @example 3
             */
            id: bigint;
            /**
             * Format: uri
             * @description Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).
             * @example https://shop.example/petstore
             */
            url: string;
            /**
             * @description Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.
             * @example [
             *       "pet.updated",
             *       "order.*"
             *     ]
             */
            types?: string[];
            /**
             * @description For people.
             * @example The web shop.
             */
            description?: string;
            /**
             * @description Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.
             * @example enabled
             */
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why the service has disabled it: `failing` when every attempt has failed for five days, `gone` when the endpoint responded with 410. Absent when it was disabled by hand.
             * @example failing
             */
            disabledReason?: string;
            /**
             * Format: date-time
             * @description Since when every attempt has failed, in UTC; absent when the last one has not.
             * @example 2026-11-21T19:12:07.123Z
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description When it was added, in UTC.
             * @example 2026-11-21T19:12:07.123Z
             */
            createdAt: string;
            /**
             * @description What deliveries are signed with (Standard Webhooks); it is shown here and never again.
             * @example whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
             */
            secret: string;
        };
        /** @description One event for one webhook. */
        WebhookDelivery: {
            /**
             * Format: int64
             * @description Assigned by the service; a later delivery has a greater one.
             * @example 7311
             */
            id: bigint;
            /**
             * Format: int64
             * @description Position of the event in the feed; absent for a test.
             * @example 1042
             */
            eventId?: bigint;
            /**
             * @description Type of the event.
             * @example pet.updated
             */
            type: string;
            /**
             * @description `pending`: to be attempted, for the first time or again. `delivered`: an attempt was answered with 2xx. `failed`: no attempt was, and none follows. `dropped`: the key may no longer receive the event.
             * @example pending
             */
            status: string;
            /**
             * Format: int32
             * @description Attempts that have begun, since the delivery was last made due by hand.
             * @example 2
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When the last attempt began, in UTC.
             * @example 2026-11-21T19:12:07.123Z
             */
            lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description When the next attempt is due, in UTC; present while it is `pending`.
             * @example 2026-11-21T19:17:07.123Z
             */
            nextAttemptAt?: string;
            /**
             * Format: int32
             * @description HTTP status of the last response; the response itself is not kept.
             * @example 503
             */
            responseStatus?: number;
            /**
             * @description Why the last attempt failed: `http_status` (no 2xx), `timeout`, `dns`, `refused_address` (an address that is not public), `connection` or `tls`.
             * @example http_status
             */
            error?: string;
        };
        /** @description What a recovery has made due. */
        Recovery: {
            /**
             * Format: int32
             * @description How many deliveries are due now.
             * @example 17
             */
            requeued: number;
            /**
             * Format: int64
             * @description Present when the recovery ended before the end of the feed: send another one with this value as `after`.
             * @example 52311
             */
            next?: bigint;
        };
        /** @description A webhook to be added. */
        NewWebhook: {
            /**
             * Format: uri
             * @description Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).
             * @example https://shop.example/petstore
             */
            url: string;
            /**
             * @description Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow.
             * @example [
             *       "pet.updated",
             *       "order.*"
             *     ]
             */
            types?: ("pet.created" | "pet.updated" | "pet.profile_updated" | "pet.deleted" | "category.created" | "category.updated" | "category.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.returned" | "order.cancelled" | "order.declined" | "order.expired" | "pet.*" | "category.*" | "order.*")[];
            /**
             * @description For people.
             * @example The web shop.
             */
            description?: string;
        };
        /** @description What is to change of a webhook; the rest stays as it is. */
        WebhookPatch: {
            /**
             * Format: uri
             * @description Where events are delivered to: an `https` URL without credentials and fragment. It is kept in its normalised form (WHATWG URL).
             * @example https://shop.example/petstore
             */
            url?: string;
            /**
             * @description Types of events that are delivered, or `pet.*`, `category.*`, `order.*` for all of a kind, those that are added later included. Absent: all that the scopes of the key allow. `null` takes it away.
             * @example [
             *       "pet.updated",
             *       "order.*"
             *     ]
             */
            types?: ("pet.created" | "pet.updated" | "pet.profile_updated" | "pet.deleted" | "category.created" | "category.updated" | "category.deleted" | "order.placed" | "order.approved" | "order.delivered" | "order.returned" | "order.cancelled" | "order.declined" | "order.expired" | "pet.*" | "category.*" | "order.*")[] | null;
            /**
             * @description For people. `null` takes it away.
             * @example The web shop.
             */
            description?: string | null;
            /**
             * @description Whether events are delivered. To enable a webhook ends `disabledReason` and `failingSince`; what was still to be delivered to one that is disabled has failed.
             * @example enabled
             */
            status?: components["schemas"]["WebhookStatus"];
        };
        /** @description How a secret is replaced. */
        SecretRotation: {
            /**
             * @description For how many hours deliveries are signed with the secret before, too; 24 if left out. 0 ends all older ones at once.
             * @example 24
             */
            overlapHours?: number;
        };
        /**
         * @description State of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "delivered" | "failed" | "dropped";
        /** @description Which events are to be delivered again. */
        NewRecovery: {
            /**
             * Format: int64
             * @description Only events behind this position of the feed.
             * @example 1041
             */
            after: bigint;
        };
        /** @description One page of animals, newest first. */
        Pets: components["schemas"]["Pet"][];
        /** @description An animal, with what was asked for: when it was added, and its profile if it has been described. */
        PetWithProfile: components["schemas"]["Pet"] & {
            /**
             * Format: date-time
             * @description When the animal was added here.
             * @example 2026-11-21T19:12:07.123Z
             */
            createdAt?: string;
            profile?: components["schemas"]["PetProfile"];
        };
        /** @description One page of animals, newest first. */
        PetsWithProfiles: components["schemas"]["PetWithProfile"][];
        /** @description One page of categories, the greatest id first. */
        Categories: components["schemas"]["Category"][];
        /** @description One page of orders, newest first. */
        Orders: components["schemas"]["Order"][];
        /** @description How many animals there are of each status; all three members are always present. */
        Inventory: {
            /** Format: int64 */
            available: bigint;
            /** Format: int64 */
            pending: bigint;
            /** Format: int64 */
            sold: bigint;
        };
        /** @description One change. Types and members are added over time: ignore those that you do not know. */
        Event: {
            /**
             * Format: int64
             * @description Position in the feed. A later event has a greater one.
             * @example 1042
             */
            id: bigint;
            /**
             * @description What has happened: `category.created`, `category.deleted`, `category.updated`, `order.approved`, `order.cancelled`, `order.declined`, `order.delivered`, `order.expired`, `order.placed`, `order.returned`, `pet.created`, `pet.deleted`, `pet.profile_updated`, `pet.updated`.
             * @example pet.updated
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in UTC, with milliseconds.
             * @example 2026-11-21T19:12:07.123Z
             */
            timestamp: string;
            data: {
                /** @description The full animal after the change; of `pet.deleted` its last state. */
                pet?: components["schemas"]["Pet"];
                /** @description The category after the change; of `category.deleted` its last state. */
                category?: components["schemas"]["Category"];
                /** @description The order after the change. */
                order?: components["schemas"]["Order"];
                /** @description The old values of the members that were changed, and no others. */
                previous?: {
                    name?: string;
                    /** Format: int64 */
                    categoryId?: bigint;
                    /** @enum {string} */
                    status?: "available" | "pending" | "sold";
                };
                /** @description Of `pet.profile_updated`: the whole profile, `{}` when it was emptied. */
                profile?: components["schemas"]["PetProfile"];
            };
        };
        /** @description A page of the feed, oldest first; may be empty. */
        Events: components["schemas"]["Event"][];
        /**
         * @description How many requests the key may send, over all operations together.
         * @example {
         *       "perMinute": 60,
         *       "perDay": 1000
         *     }
         */
        UsageLimits: {
            /**
             * Format: int32
             * @description In any 60 seconds.
             * @example 60
             */
            perMinute: number;
            /**
             * Format: int32
             * @description In any 24 hours.
             * @example 1000
             */
            perDay: number;
        };
        /** @description One day, from midnight to midnight in UTC. */
        UsageDay: {
            /**
             * Format: date
             * @example 2026-11-21
             */
            date: string;
            /**
             * Format: int64
             * @description Requests with this key, those that were refused included.
             * @example 931
             */
            requests: number;
            /**
             * Format: int64
             * @description Of these, how many were refused with 429.
             * @example 4
             */
            refused: number;
        };
        /** @description The key that the request came with, and how it was used. */
        Usage: {
            /**
             * @description Names the key to its operator and in orders; no secret, and the same after a rotation.
             * @example key_Wz6Oq1rXc8TqLd0A
             */
            keyId: string;
            /**
             * @description What the operator calls the key.
             * @example Shop website
             */
            name: string;
            /**
             * @description `free`, `pro`, `business`, `enterprise`; more may be added.
             * @example free
             */
            plan: string;
            /**
             * @description What the key may do.
             * @example [
             *       "pets:read",
             *       "pets:write"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the key expires; absent if it never does.
             * @example 2027-11-21T00:00:00.000Z
             */
            expiresAt?: string;
            limits: components["schemas"]["UsageLimits"];
            /**
             * @description Those of the last 30 days, today included, on which the key was used, newest first.
             * @example [
             *       {
             *         "date": "2026-11-21",
             *         "requests": 931,
             *         "refused": 4
             *       },
             *       {
             *         "date": "2026-11-20",
             *         "requests": 1012,
             *         "refused": 12
             *       }
             *     ]
             */
            days: components["schemas"]["UsageDay"][];
        };
        /** @description All webhooks of the key, newest first. */
        Webhooks: components["schemas"]["Webhook"][];
        /** @description One page of deliveries, newest first. */
        WebhookDeliveries: components["schemas"]["WebhookDelivery"][];
    };
    responses: {
        /**
         * @description `missing_api_key`: No credential was sent, or one of another scheme than Bearer.
         *
         *     `invalid_api_key`: The key is malformed, unknown, expired or revoked, or the header field Authorization was sent repeatedly.
         */
        MissingApiKeyOrInvalidApiKey: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `insufficient_scope`: The key is valid but lacks the scope of the operation, or is publishable and the operation needs a secret key.
         *
         *     `origin_not_allowed`: A publishable key was sent without the Origin of one of its sites.
         */
        InsufficientScopeOrOriginNotAllowed: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `uri_too_long`: The path and query together are longer than 8,192 bytes. */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `rate_limit_exceeded`: A window of the plan, or of the client address, is used up.
         *
         *     `api_key_temporarily_banned`: The key kept sending requests after being refused.
         */
        RateLimitExceededOrApiKeyTemporarilyBanned: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `headers_too_large`: The header fields are larger than 16 KiB together, or more than 100. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: Something failed that should not. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `service_unavailable`: A server that the request needs is unavailable, or the service has too much to do or is stopping. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `invalid_json`: The body is not one well-formed JSON object.
         *
         *     `validation_failed`: A member of the body is missing or holds an invalid value.
         *
         *     `invalid_parameter`: A query parameter or header holds an invalid value, or the operation has no query parameter of that name.
         *
         *     `bad_request`: The request is not well-formed HTTP, or did not arrive in time or whole.
         */
        InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `precondition_failed`: If-Match does not name the current state, or If-None-Match of a write does; nothing was changed. */
        PreconditionFailed: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `payload_too_large`: The body is larger than 16 KiB. */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `pet_not_found`: No animal has the id in the path. */
        PetNotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `invalid_parameter`: A query parameter or header holds an invalid value, or the operation has no query parameter of that name.
         *
         *     `bad_request`: The request is not well-formed HTTP, or did not arrive in time or whole.
         */
        InvalidParameterOrBadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: Content-Type is not application/json (nor, for PATCH, application/merge-patch+json), its charset is not UTF-8, or the body has a Content-Encoding. */
        UnsupportedMediaType: {
            headers: {
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The response that the client has is still current. */
        NotModifiedWithLink: {
            headers: {
                Link: components["headers"]["Link"];
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `invalid_parameter`: A query parameter or header holds an invalid value, or the operation has no query parameter of that name.
         *
         *     `invalid_cursor`: The cursor is damaged or belongs to a list with another filter.
         *
         *     `bad_request`: The request is not well-formed HTTP, or did not arrive in time or whole.
         */
        InvalidParameterOrInvalidCursorOrBadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency_key_reused`: The Idempotency-Key was already used for another operation or body. */
        IdempotencyKeyReused: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The response that the client has is still current. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `category_not_found`: No category has the id in the path. */
        CategoryNotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `order_not_found`: No order that the key can see has the id in the path. */
        OrderNotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_order_transition`: The state of the order does not allow the action, or its time is up. */
        InvalidOrderTransition: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `bad_request`: The request is not well-formed HTTP, or did not arrive in time or whole. */
        BadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `invalid_json`: The body is not one well-formed JSON object.
         *
         *     `validation_failed`: A member of the body is missing or holds an invalid value.
         *
         *     `bad_request`: The request is not well-formed HTTP, or did not arrive in time or whole.
         */
        InvalidJsonOrValidationFailedOrBadRequest: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `webhook_not_found`: No webhook of the key has the id in the path. */
        WebhookNotFound: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: Content-Type is not application/json (nor, for PATCH, application/merge-patch+json), its charset is not UTF-8, or the body has a Content-Encoding. */
        UnsupportedMediaTypeWithAcceptPatch: {
            headers: {
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                "Accept-Patch": components["headers"]["Accept-Patch"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `webhook_disabled`: Nothing is delivered to a webhook that is disabled; enable it first. */
        WebhookDisabled: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `position_gone`: Events behind the position are no longer kept, or the position was never given out. */
        PositionGone: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Links to other pages, about this operation, or to the explanation of this error (RFC 8288).
         * @example </v1/pets?cursor=0k5w1yza15>; rel="next"
         */
        Link: string;
        /**
         * @description Identifies this answer, or the current state, for If-Match and If-None-Match (RFC 9110).
         * @example "2jmj7l5rSw0yVb_vlWAYkK_YBwk"
         */
        ETag: string;
        /**
         * @description Whether and how the answer may be cached (RFC 9111).
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Request header fields that the answer depends on (RFC 9110).
         * @example Origin, Authorization
         */
        Vary: string;
        /**
         * @description Requests that the window allows: the window that refused, else the one with the fewest remaining.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests that the window still admits.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Unix timestamp, in seconds, at which the next unit of the window comes free.
         * @example 1785628800
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Remaining quota and seconds until more of it, of both windows (draft-ietf-httpapi-ratelimit-headers-10).
         * @example "minute";r=59;t=60, "day";r=999;t=86400
         */
        RateLimit: string;
        /**
         * @description Quota and length in seconds of both windows (draft-ietf-httpapi-ratelimit-headers-10).
         * @example "minute";q=60;w=60, "day";q=1000;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description Id of this request; the one that was sent if it was fit for it.
         * @example 3f9c1d1e-8a0b-4a64-9f0e-6f1d2c3b4a59
         */
        "X-Request-Id": string;
        /**
         * @description How to authenticate (RFC 6750).
         * @example Bearer realm="petstore", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before trying again.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Where the created resource is found.
         * @example /v1/pets/42
         */
        Location: string;
        /**
         * @description Present when this is the first response to the same Idempotency-Key again; nothing was added now.
         * @example true
         */
        "Idempotent-Replayed": true;
        /**
         * @description Content codings that a body may have; after one that it may not have (RFC 9110).
         * @example identity
         */
        "Accept-Encoding": string;
        /**
         * @description Since when the operation is deprecated: @ and a Unix timestamp in seconds (RFC 9745).
         * @example @1764892800
         */
        Deprecation: string;
        /**
         * @description When the operation is expected to be removed (RFC 8594).
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description Media types that PATCH accepts (RFC 5789).
         * @example application/merge-patch+json, application/json
         */
        "Accept-Patch": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /** @description Maximum number of animals returned. */
                limit?: number;
                /** @description Filters by availability status. */
                status?: components["schemas"]["PetStatus"];
                /** @description Opaque position from the Link header of the page before. Belongs to a list with the same `status`, `categoryId`, `name`, `species`, `breed`, `color`, `location`, `reference`, `sex`, `ageGroup`, `size`, `coat`, `goodWith`, `mixedBreed`, `spayedNeutered`, `houseTrained`, `vaccinated`, `specialNeeds`, and `text`. */
                cursor?: string;
                /** @description Filters by category. */
                categoryId?: bigint;
                /** @description Lists these animals, all at once: at most 100 different ones, of which a repetition counts once; those that do not exist are left out. May be combined with `status`, `categoryId`, `name`, `species`, `breed`, `color`, `location`, `reference`, `sex`, `ageGroup`, `size`, `coat`, `goodWith`, `mixedBreed`, `spayedNeutered`, `houseTrained`, `vaccinated`, `specialNeeds`, and `text`, not with `limit` or `cursor`. */
                ids?: bigint[];
                /** @description Adds to each animal: `createdAt`, when it was added here; `profile`, what adopters look at, if it has been described. */
                include?: ("profile" | "createdAt")[];
                /** @description Finds animals whose name has each of these words, in any order and case. */
                name?: string;
                /** @description Finds animals of this species, in any case. */
                species?: string;
                /** @description Finds animals one of whose breeds is this, in any case. */
                breed?: string;
                /** @description Finds animals one of whose colours is this, in any case. */
                color?: string;
                /** @description Finds animals at this location, in any case. */
                location?: string;
                /** @description Finds animals with this number of the shelter, in any case. */
                reference?: string;
                /** @description Finds animals of this sex. */
                sex?: ("female" | "male")[];
                /** @description Finds animals of one of these age groups. */
                ageGroup?: ("baby" | "young" | "adult" | "senior")[];
                /** @description Finds animals of one of these sizes. */
                size?: ("small" | "medium" | "large" | "xlarge")[];
                /** @description Finds animals with one of these coats. */
                coat?: ("hairless" | "short" | "medium" | "long" | "wire" | "curly")[];
                /** @description Finds animals that are known to get along with each of these. */
                goodWith?: ("children" | "dogs" | "cats")[];
                /** @description Finds animals of which this is known: whether it is a mix of breeds. */
                mixedBreed?: boolean;
                /** @description Finds animals of which this is known: whether it is spayed or neutered. */
                spayedNeutered?: boolean;
                /** @description Finds animals of which this is known: whether it is house-trained. */
                houseTrained?: boolean;
                /** @description Finds animals of which this is known: whether its vaccinations are up to date. */
                vaccinated?: boolean;
                /** @description Finds animals of which this is known: whether it has special needs. */
                specialNeeds?: boolean;
                /** @description Finds animals in whose description each of these words begins a word, in any order and case. */
                text?: string;
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of animals. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetsWithProfiles"];
                };
            };
            304: components["responses"]["NotModifiedWithLink"];
            400: components["responses"]["InvalidParameterOrInvalidCursorOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that the client chooses for this request, 1 to 255 visible ASCII characters, and repeats when it sends the request again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The animal to add; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The created animal, including the assigned id. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            /** @description `idempotency_in_progress`: The first request with this Idempotency-Key is still being processed. */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the animal. */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The response that the client has is still current. */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_parameter`: A query parameter or header holds an invalid value, or the operation has no query parameter of that name. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_api_key`: No credential was sent, or one of another scheme than Bearer.
             *
             *     `invalid_api_key`: The key is malformed, unknown, expired or revoked, or the header field Authorization was sent repeatedly.
             */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `insufficient_scope`: The key is valid but lacks the scope of the operation, or is publishable and the operation needs a secret key.
             *
             *     `origin_not_allowed`: A publishable key was sent without the Origin of one of its sites.
             */
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `pet_not_found`: No animal has the id in the path. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `operation_removed`: The deprecated operation is past its removal date. */
            410: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `precondition_failed`: If-Match does not name the current state, or If-None-Match of a write does; nothing was changed. */
            412: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            414: components["responses"]["UriTooLong"];
            /**
             * @description `rate_limit_exceeded`: A window of the plan, or of the client address, is used up.
             *
             *     `api_key_temporarily_banned`: The key kept sending requests after being refused.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            /** @description `internal_error`: Something failed that should not. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`: A server that the request needs is unavailable, or the service has too much to do or is stopping. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deletePet: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the animal. */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal has been removed. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["PetNotFound"];
            /** @description `pet_held_by_order`: An order holds the animal: its status changes with the order, and it cannot be removed while reserved. */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePet: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the animal. */
                petId: bigint;
            };
            cookie?: never;
        };
        /** @description The members to change; unknown ones and `id` are ignored, and none can be removed with `null`. */
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PetPatch"];
                "application/json": components["schemas"]["PetPatch"];
            };
        };
        responses: {
            /** @description The animal as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["PetNotFound"];
            /**
             * @description `invalid_status_transition`: The status of the animal cannot change to the one that is asked for.
             *
             *     `pet_held_by_order`: An order holds the animal: its status changes with the order, and it cannot be removed while reserved.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaTypeWithAcceptPatch"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPetProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the animal. */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetProfile"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["PetNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replacePetProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the animal. */
                petId: bigint;
            };
            cookie?: never;
        };
        /** @description The whole profile; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PetProfile"];
            };
        };
        responses: {
            /** @description The profile as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PetProfile"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["PetNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /** @description Maximum number of categories returned. */
                limit?: number;
                /** @description Opaque position from the Link header of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of categories. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Categories"];
                };
            };
            304: components["responses"]["NotModifiedWithLink"];
            400: components["responses"]["InvalidParameterOrInvalidCursorOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that the client chooses for this request, 1 to 255 visible ASCII characters, and repeats when it sends the request again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The name; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The created category, including the assigned id. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            /**
             * @description `category_name_taken`: Another category has the name, apart from case, white space and invisible characters.
             *
             *     `idempotency_in_progress`: The first request with this Idempotency-Key is still being processed.
             */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the category. */
                categoryId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["CategoryNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the category. */
                categoryId: bigint;
            };
            cookie?: never;
        };
        /** @description The name; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The category existed; it has this name now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The category has been added. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["CategoryNotFound"];
            /** @description `category_name_taken`: Another category has the name, apart from case, white space and invisible characters. */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the category. */
                categoryId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category has been removed. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["CategoryNotFound"];
            /** @description `category_in_use`: The category cannot be removed while animals have it. */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Maximum number of orders returned. */
                limit?: number;
                /** @description Only orders in this state. */
                status?: components["schemas"]["OrderStatus"];
                /** @description Only orders for this animal. */
                petId?: bigint;
                /** @description Opaque position from the Link header of the page before. Belongs to a list with the same `status` and `petId`. */
                cursor?: string;
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of orders. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Orders"];
                };
            };
            304: components["responses"]["NotModifiedWithLink"];
            400: components["responses"]["InvalidParameterOrInvalidCursorOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value that the client chooses for this request, 1 to 255 visible ASCII characters, and repeats when it sends the request again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The animal that is applied for; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The order has been placed; the animal is reserved. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            /**
             * @description `pet_not_available`: The animal of a new order does not exist, or is pending or sold.
             *
             *     `order_limit_reached`: The key has as many orders placed or approved as it may.
             *
             *     `idempotency_in_progress`: The first request with this Idempotency-Key is still being processed.
             */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        /** @description Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderReason"];
            };
        };
        responses: {
            /** @description The order after the action. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            409: components["responses"]["InvalidOrderTransition"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order after the action. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            409: components["responses"]["InvalidOrderTransition"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deliverOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order after the action. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            409: components["responses"]["InvalidOrderTransition"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    declineOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        /** @description Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderReason"];
            };
        };
        responses: {
            /** @description The order after the action. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            409: components["responses"]["InvalidOrderTransition"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    returnOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the order. */
                orderId: bigint;
            };
            cookie?: never;
        };
        /** @description Why; may be left out, and then no `Content-Type` is needed. Unknown members are ignored. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OrderReason"];
            };
        };
        responses: {
            /** @description The order after the action. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["OrderNotFound"];
            409: components["responses"]["InvalidOrderTransition"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInventory: {
        parameters: {
            query?: {
                /** @description Counts the animals of this category only. */
                categoryId?: bigint;
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many animals there are. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events behind this position. `latest` returns no events, but a link with the newest position. Without it the list begins with the oldest event that is kept. */
                after?: string;
                /** @description Maximum number of events returned. */
                limit?: number;
                /** @description Only events about this resource; `order` needs the scope `orders:read`. More resources are added over time. */
                resource?: "pet" | "category" | "order";
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the feed, which may be empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            304: components["responses"]["NotModifiedWithLink"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            410: components["responses"]["PositionGone"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key and its use. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks of the key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Where events are delivered to, and which; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook with its secret. The `ETag` is that of the webhook without the secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            /**
             * @description `webhook_url_taken`: Another webhook of the key has the URL, in its normalised form.
             *
             *     `webhook_limit_reached`: The key has 10 webhooks.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook has been removed. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the state that the client has read; if the current state is another one, nothing is changed and the response is 412. */
                "If-Match"?: string;
                /** @description ETag of a state in which nothing is to be changed, or `*` for any: to write only what does not exist. In such a state the response is 412. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        /** @description The members to change; unknown ones are ignored. `null` takes `types` or `description` away. */
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["WebhookPatch"];
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrInvalidParameterOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            /** @description `webhook_url_taken`: Another webhook of the key has the URL, in its normalised form. */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaTypeWithAcceptPatch"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        /** @description May be left out, and then no `Content-Type` is needed. Unknown members are ignored. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The webhook with its new secret, which is shown only once. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is due now. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of deliveries returned. */
                limit?: number;
                /** @description Only deliveries in this state. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Opaque position from the Link header of the page before. Belongs to a list with the same `status`, of the same webhook. */
                cursor?: string;
            };
            header?: {
                /** @description ETag of the response that the client has; while it is still current, the response is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            304: components["responses"]["NotModifiedWithLink"];
            400: components["responses"]["InvalidParameterOrInvalidCursorOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
                /** @description Id of the delivery. */
                deliveryId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is due now. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            /**
             * @description `webhook_not_found`: No webhook of the key has the id in the path.
             *
             *     `delivery_not_found`: The webhook has no delivery with the id in the path, it is a test, or its event is no longer kept.
             */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["WebhookDisabled"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhookId: bigint;
            };
            cookie?: never;
        };
        /** @description The position; unknown members are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRecovery"];
            };
        };
        responses: {
            /** @description How many deliveries are due now. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidJsonOrValidationFailedOrBadRequest"];
            401: components["responses"]["MissingApiKeyOrInvalidApiKey"];
            403: components["responses"]["InsufficientScopeOrOriginNotAllowed"];
            404: components["responses"]["WebhookNotFound"];
            409: components["responses"]["WebhookDisabled"];
            410: components["responses"]["PositionGone"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceededOrApiKeyTemporarilyBanned"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}

/** Every error code of the document, by status. */
export const ERROR_CODES = [
  'invalid_json',
  'validation_failed',
  'invalid_parameter',
  'invalid_cursor',
  'bad_request',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'origin_not_allowed',
  'pet_not_found',
  'category_not_found',
  'order_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'route_not_found',
  'method_not_allowed',
  'idempotency_in_progress',
  'invalid_status_transition',
  'pet_held_by_order',
  'category_name_taken',
  'category_in_use',
  'pet_not_available',
  'order_limit_reached',
  'invalid_order_transition',
  'webhook_url_taken',
  'webhook_limit_reached',
  'webhook_disabled',
  'operation_removed',
  'position_gone',
  'precondition_failed',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limit_exceeded',
  'api_key_temporarily_banned',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
] as const;
