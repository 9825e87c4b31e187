package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/shop/petstore"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))
		return nil
	}
	client, err := petstore.NewClientWithResponses(os.Getenv("PETSTORE_URL"), petstore.WithRequestEditorFn(authorize))
	if err != nil {
		panic(err)
	}
	body := petstore.NewPet{Name: "Generated", CategoryId: 9007199254740993}
	response, err := client.CreatePetWithResponse(context.Background(), nil, body)
	if err != nil {
		panic(err)
	}
	pet := response.JSON201
	fmt.Println(pet.Name, pet.CategoryId, *pet.Status)
}
