package main

import (
	"context"
	"fmt"
	"os"

	"example.com/shop/petstore"
)

type key struct{}

func (key) ApiKey(context.Context, petstore.OperationName) (petstore.ApiKey, error) {
	return petstore.ApiKey{Token: os.Getenv("PETSTORE_KEY")}, nil
}

func main() {
	client, err := petstore.NewClient(os.Getenv("PETSTORE_URL"), key{})
	if err != nil {
		panic(err)
	}
	body := &petstore.NewPet{Name: "Generated", CategoryId: 9007199254740993}
	response, err := client.CreatePet(context.Background(), body, petstore.CreatePetParams{})
	if err != nil {
		panic(err)
	}
	pet := response.(*petstore.PetHeaders).Response
	fmt.Println(pet.Name, pet.CategoryId, pet.Status.Value)
}
